package rollup

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// holdsOneOfEqualTexts reports whether a column has one of several texts that are equal in the base tables.
func holdsOneOfEqualTexts(c *candidate, f Field) bool {
	return mergesTexts(c) && (f.Field.Type == sqlexpr.TypeString || f.Field.Type == sqlexpr.TypeUnknown) && c.holdsValues(f)
}

// mergesTexts reports whether texts of several letters are equal in the base tables.
func mergesTexts(c *candidate) bool {
	return c.In.Target.Caps.MergesTexts && !c.In.Target.Caps.TextByCast
}

// readsLettersOf reports whether an expression reads the letters of a stored text, which differ between equal texts. A comparison, which has one
// result for equal texts, does not.
func readsLettersOf(c *candidate, e sqlexpr.Expr, field func(id int) Field) bool {
	if !mergesTexts(c) {
		return false
	}
	compared := map[sqlexpr.Expr]bool{}
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Binary:
			if x.Op.IsComparison() {
				compared[x.L], compared[x.R] = true, true
			}
		case *sqlexpr.In:
			compared[x.X] = true
		case *sqlexpr.Between:
			compared[x.X] = true
		case *sqlexpr.IsNull:
			compared[x.X] = true
		}
		return true
	})
	for r := range sqlexpr.Refs(e) {
		if f := field(r.ID); f.Field != nil && !compared[r] && holdsOneOfEqualTexts(c, f) {
			return true
		}
	}
	return false
}
