package coerce

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// timezoneCoercer gives days and timestamps a zone, UTC, where they are compared with something
// that the model declares to have one. Literals are left as they are: how they are
// written is for the dialect to say.
type timezoneCoercer struct {
	leaf NameTypeFunc
}

func (z timezoneCoercer) rewriteNode(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(e sqlexpr.Expr) sqlexpr.Expr { return sqlexpr.ReplaceComparedValues(e, z.coerceComparands) })
}

// coerceComparands returns values that are compared with each other with a zone each; nil when
// that changes none.
func (z timezoneCoercer) coerceComparands(all ...sqlexpr.Expr) []sqlexpr.Expr {
	declared, changed := false, false
	out := make([]sqlexpr.Expr, len(all))
	for i, x := range all {
		out[i] = x
		t := sqlexpr.TypeOf(x, z.leaf)
		switch _, literal := x.(*sqlexpr.TypedLiteral); {
		case sqlexpr.IsShiftedOrTruncatedTime(x), t == sqlexpr.TypeDate, t == sqlexpr.TypeTimestamp:
			if !literal {
				out[i] = &sqlexpr.Cast{Position: sqlexpr.Position(x.Pos()), X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeTimestampTZ}}
				changed = true
			}
		case t == sqlexpr.TypeTimestampTZ:
			_, known := x.(*sqlexpr.DeclaredTypeExpr)
			declared = declared || known || sqlexpr.TypeOf(x, nil) != t
		}
	}
	if !declared || !changed {
		return nil
	}
	return out
}
