package measure

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// TypeOf infers the type of an expression over measure references.
func (x *Expander) TypeOf(e sqlexpr.Expr) sqlexpr.Type {
	return sqlexpr.TypeOf(e, func(leaf sqlexpr.Expr) sqlexpr.Type {
		if r, ok := leaf.(*sqlexpr.Ref); ok {
			return x.out.MeasureRefs[r.ID].valueType()
		}
		return sqlexpr.TypeUnknown
	})
}
