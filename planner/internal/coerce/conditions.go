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
