package compose

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// truncateDateColumns returns a node whose columns of type Date hold days. A field that is declared a Date may be stored as a
// timestamp: its rows show the day, but DISTINCT, groups and joins would keep two times of one day apart.
func truncateDateColumns(n plan.Node) plan.Node {
	schema := n.Schema()
	var cols []plan.NamedExpr
	for i, c := range schema {
		if c.Type != sqlexpr.TypeDate || isDayColumn(n, i) {
			continue
		}
		if cols == nil {
			cols = schema.ColumnRefs()
		}
		cols[i].Expr = &sqlexpr.Bucket{Grain: sqlexpr.GrainDay, From: sqlexpr.TypeDate, X: newColumnRef(i)}
	}
	if cols == nil {
		return n
	}
	return &plan.Project{Input: n, Cols: cols}
}

// isDayColumn reports whether the plan shows that a column holds days.
func isDayColumn(n plan.Node, at int) bool {
	switch n := n.(type) {
	case *plan.Project:
		return isDayExpr(n.Cols[at].Expr, n.Input)
	case *plan.Aggregate:
		if at < len(n.Keys) {
			return isDayExpr(n.Keys[at].Expr, n.Input)
		}
		return isDayExpr(n.Measures[at-len(n.Keys)].Expr, n.Input)
	case *plan.GroupingSets:
		switch {
		case at < len(n.Keys):
			return isDayExpr(n.Keys[at].Expr, n.Input)
		case at > len(n.Keys):
			return isDayExpr(n.Measures[at-len(n.Keys)-1].Expr, n.Input)
		}
	case *plan.Combine:
		if at >= n.Keys {
			return false
		}
		for _, b := range n.Branches {
			if !isDayColumn(b, at) {
				return false
			}
		}
		return true
	case *plan.Window:
		return at < len(n.Input.Schema()) && isDayColumn(n.Input, at)
	case *plan.Filter, *plan.SemiJoin, *plan.Sort, *plan.Limit, *plan.Offset, *plan.FirstColumns, *plan.Derived:
		return isDayColumn(n.Inputs()[0], at)
	default: // no query of a statement ends with another node: its columns are cast
	}
	return false
}

func isDayExpr(e sqlexpr.Expr, in plan.Node) bool {
	switch e := e.(type) {
	case *sqlexpr.Bucket, *sqlexpr.DecodeTimeCodeExpr, *sqlexpr.TypedLiteral:
		return true
	case *sqlexpr.Cast:
		return e.To.Type == sqlexpr.TypeDate
	case *sqlexpr.Ref:
		return in.Schema() != nil && isDayColumn(in, e.ID)
	case *sqlexpr.Call:
		switch e.Fn {
		case sqlexpr.FnMin, sqlexpr.FnMax:
			return isDayExpr(e.Args[0], in)
		case sqlexpr.FnToDate, sqlexpr.FnCurrentDate:
			return true
		}
	}
	return false
}
