package selection

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// dropTrueConditions leaves out the conditions that are constant and true, as tools write them: 1 = 1.
func dropTrueConditions(conds []sqlexpr.Expr) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, cond := range conds {
		truth, known := constantTruth(cond)
		switch {
		case !known:
			out = append(out, cond)
		case !truth:
			return []sqlexpr.Expr{&sqlexpr.Bool{Position: sqlexpr.Position(cond.Pos()), Value: false}}
		}
	}
	return out
}

// constantTruth returns the truth of a constant condition.
func constantTruth(e sqlexpr.Expr) (truth, known bool) {
	switch e := e.(type) {
	case *sqlexpr.Bool:
		return e.Value, true
	case *sqlexpr.Null:
		return false, true // as a condition
	case *sqlexpr.Binary:
		l, okL := e.L.(*sqlexpr.Number)
		r, okR := e.R.(*sqlexpr.Number)
		if okL && okR && e.Op == sqlexpr.OpEq {
			return sameNumber(l.Text, r.Text), true
		}
		if okL && okR && e.Op == sqlexpr.OpNe {
			return !sameNumber(l.Text, r.Text), true
		}
	}
	return false, false
}
