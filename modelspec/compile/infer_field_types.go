package compile

import (
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// inferFieldTypes gives every field its logical type: the declared one, else the
// type of its expression if the types of the columns are unknown. It runs before the
// level-of-detail fields are lowered, and again after, when their types are
// known.
func (c *compiler) inferFieldTypes() {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			c.inferFieldType(f)
		}
	}
}

func (c *compiler) inferFieldType(f *fieldInProgress) {
	switch {
	case f.cat.Datatype == "" && f.cat.Encoding == nil && f.cat.LOD != nil && f.cat.LOD.Measures.Default != nil:
		form := f.cat.LOD.Measures.Default
		f.cat.Type = sqlexpr.TypeOf(form.Expr, operandTyper(form))
	default:
		f.cat.Type = c.inferNonLODFieldType(f)
	}
}

// inferNonLODFieldType returns the type of a field that is not a level of detail.
func (c *compiler) inferNonLODFieldType(f *fieldInProgress) sqlexpr.Type {
	switch {
	case f.cat.Datatype != "":
		return f.cat.Datatype.LogicalType()
	case f.like != nil:
		if f.like.doc != nil { // a finished model has the types of its fields
			c.inferFieldType(f.like)
		}
		return f.like.cat.Type
	case f.cat.Encoding != nil && f.cat.Encoding.Numeric:
		return sqlexpr.TypeInt
	case f.cat.Encoding != nil:
		return sqlexpr.TypeString
	case f.cat.Err == nil && f.cat.Expr.Default != nil:
		return sqlexpr.TypeOf(f.cat.Expr.Default, c.typeOfReferencedField)
	}
	return sqlexpr.TypeUnknown
}

// typeOfReferencedField types the leaves of expressions over fields.
func (c *compiler) typeOfReferencedField(e sqlexpr.Expr) sqlexpr.Type {
	if ref, ok := e.(*sqlexpr.Ref); ok {
		return c.cat.FieldByID(ref.ID).SourceField().Type
	}
	return sqlexpr.TypeUnknown
}
