package compile

import (
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var datatypes = map[string]sqlexpr.Type{
	"String": sqlexpr.TypeString, "Integer": sqlexpr.TypeInt, "Decimal": sqlexpr.TypeDecimal, "Float": sqlexpr.TypeFloat,
	"Boolean": sqlexpr.TypeBool, "Date": sqlexpr.TypeDate, "Time": sqlexpr.TypeTime,
	"DateTime": sqlexpr.TypeTimestamp, "DateTimeTz": sqlexpr.TypeTimestampTZ,
}

// typeFields gives every field its logical type: the declared one, else the
// type of its expression if the types of the columns are unknown. It runs before the
// level-of-detail fields are lowered, and again after, when their types are
// known.
func (c *compiler) typeFields() {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			switch {
			case f.cat.Datatype == "" && f.cat.Encoding == nil && f.cat.LOD != nil && f.cat.LOD.Measures.Default != nil:
				form := f.cat.LOD.Measures.Default
				f.cat.Type = sqlexpr.TypeOf(form.Expr, operandTypes(form))
			default:
				f.cat.Type = c.typeOf(f)
			}
		}
	}
}

// typeOf returns the type of a field that is not a level of detail.
func (c *compiler) typeOf(f *field) sqlexpr.Type {
	switch {
	case f.cat.Datatype != "":
		return datatypes[f.cat.Datatype]
	case f.cat.Encoding != nil && f.cat.Encoding.Numeric:
		return sqlexpr.TypeInt
	case f.cat.Encoding != nil:
		return sqlexpr.TypeString
	case f.cat.Err == nil && f.cat.Expr.Default != nil:
		return sqlexpr.TypeOf(f.cat.Expr.Default, c.typeOfLeaf)
	}
	return sqlexpr.TypeUnknown
}

// typeOfLeaf types the leaves of expressions over fields.
func (c *compiler) typeOfLeaf(e sqlexpr.Expr) sqlexpr.Type {
	if ref, ok := e.(*sqlexpr.Ref); ok {
		return c.cat.Fields[ref.ID].Type
	}
	return sqlexpr.TypeUnknown
}
