package extension

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Field is a field's payload.
type Field struct {
	Granularity sqlexpr.Grain // GrainNone when silent
}

// ReadField reads a field's payload.
func ReadField(owner modelspec.Place, entries []*modelspec.CustomExtension) (Field, Diagnostics) {
	r, root := open(OnField, owner, entries)
	var out Field
	if root != nil {
		o := object{r, root}
		r.key = "time_granularity"
		out.Granularity = o.grain("time_granularity")
	}
	return out, r.close()
}
