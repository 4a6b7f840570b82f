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
	r, root := findPayloadAndReadEnvelope(CarrierField, owner, entries)
	var out Field
	if root != nil {
		o := r.rootReader(root)
		out.Granularity = o.readGrain("time_granularity")
		out.IsDimension = o.readBool("is_dimension")
		out.Time = o.readTimeBlock()
		out.LOD = o.readLODBlock()
		out.Params = o.readParams()
		if n := o.findMember("format"); n != nil {
			out.Misplaced = r.placeOfNode(n)
		}
	}
	return out, r.diagnosticsWithVersionWarning()
}
