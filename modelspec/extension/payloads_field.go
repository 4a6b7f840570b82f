package extension

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Field is a field's payload. A member is nil or zero where it is silent.
type Field struct {
	Granularity sqlexpr.Grain
	IsDimension *bool
	Time        *TimeFormat
	LOD         *LOD
	Params      []Param
	// Misplaced is the place of a `format` that is beside `time` instead of
	// in it.
	Misplaced modelspec.Place
}

// ReadField reads a field's payload.
func ReadField(owner modelspec.Place, entries []*modelspec.CustomExtension) (Field, Diagnostics) {
	r, root := openPayload(OnField, owner, entries)
	var out Field
	if root != nil {
		o := object{r, root}
		r.key = "time_granularity"
		out.Granularity = o.grain("time_granularity")
		r.key = "is_dimension"
		out.IsDimension = o.boolean("is_dimension")
		out.Time = o.time()
		out.LOD = o.lod()
		out.Params = o.params()
		if n := o.get("format"); n != nil {
			out.Misplaced = r.placeOf(n)
		}
	}
	return out, r.finish()
}
