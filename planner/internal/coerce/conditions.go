package coerce

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// NameTypeFunc gives the type of a resolved name, TypeUnknown for what it does not know.
type NameTypeFunc func(sqlexpr.Expr) sqlexpr.Type

// CoerceCondition returns a condition with operands of fitting types. The error is a
// *planerr.Error for operands that do not fit; key names the condition in it. With
// zonesApart, the target does not compare times with a zone and times without.
func CoerceCondition(key string, e sqlexpr.Expr, leaf NameTypeFunc, zonesApart bool) (sqlexpr.Expr, error) {
	if err := checkOperandTypes(key, e, leaf, true); err != nil {
		return nil, err
	}
	return coerceOperands(e, leaf, zonesApart), nil
}

// CoerceExpression does for an expression of any type what Condition does for a condition. The error
// is that of a condition.
func CoerceExpression(e sqlexpr.Expr, leaf NameTypeFunc, zonesApart bool) (sqlexpr.Expr, error) {
	if err := checkOperandTypes("the expression", e, leaf, false); err != nil {
		return nil, err
	}
	return coerceOperands(e, leaf, zonesApart), nil
}

func coerceOperands(e sqlexpr.Expr, leaf NameTypeFunc, zonesApart bool) sqlexpr.Expr {
	e = sqlexpr.ResolveOperatorTypes(literalCoercer{leaf: leaf}.rewriteUntilStable(e), leaf)
	if zonesApart {
		e = timezoneCoercer{leaf}.rewriteNode(e)
	}
	return e
}

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
