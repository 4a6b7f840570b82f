package coerce

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// LeafType gives the type of a resolved name, TypeUnknown for what it does not know.
type LeafType func(sqlexpr.Expr) sqlexpr.Type

// Condition returns a condition with operands of fitting types. The error is a
// *planerr.Error for operands that do not fit; key names the condition in it. With
// zonesApart, the target does not compare times with a zone and times without.
func Condition(key string, e sqlexpr.Expr, leaf LeafType, zonesApart bool) (sqlexpr.Expr, error) {
	if err := checkTypes(key, e, leaf); err != nil {
		return nil, err
	}
	e = sqlexpr.ResolveOperatorTypes(literalCoercer{leaf: leaf}.rewrite(e), leaf)
	if zonesApart {
		e = timezoneCoercer{leaf}.rewrite(e)
	}
	return e, nil
}
