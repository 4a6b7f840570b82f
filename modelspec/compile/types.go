package compile

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var datatypes = map[string]sqlexpr.Type{
	"String": sqlexpr.TypeString, "Integer": sqlexpr.TypeInt, "Decimal": sqlexpr.TypeDecimal, "Float": sqlexpr.TypeFloat,
	"Boolean": sqlexpr.TypeBool, "Date": sqlexpr.TypeDate, "Time": sqlexpr.TypeTime,
	"DateTime": sqlexpr.TypeTimestamp, "DateTimeTz": sqlexpr.TypeTimestampTZ,
}

// typeFields gives every field its logical type: the declared one, else what
// its expression tells when nothing is known of the columns. It runs before the
// level-of-detail fields are lowered, and again after, when their types are
// known.
func (c *compiler) typeFields() {
	for _, d := range c.datasets {
		for _, f := range d.list {
			switch {
			case f.cat.Datatype != "":
				f.cat.Type = datatypes[f.cat.Datatype]
			case f.cat.Encoding != nil && f.cat.Encoding.Numeric:
				f.cat.Type = sqlexpr.TypeInt
			case f.cat.Encoding != nil:
				f.cat.Type = sqlexpr.TypeString
			case f.cat.LOD != nil && f.cat.LOD.Measures.Default != nil:
				form := f.cat.LOD.Measures.Default
				f.cat.Type = sqlexpr.TypeOf(form.Expr, operandLeaf(form))
			case f.cat.Err == nil && f.cat.Expr.Default != nil:
				f.cat.Type = sqlexpr.TypeOf(f.cat.Expr.Default, c.fieldLeaf)
			}
		}
	}
}

// fieldLeaf types the leaves of expressions that stand over fields.
func (c *compiler) fieldLeaf(e sqlexpr.Expr) sqlexpr.Type {
	if ref, ok := e.(*sqlexpr.Ref); ok {
		return c.cat.Fields[ref.ID].Type
	}
	return sqlexpr.TypeUnknown
}
