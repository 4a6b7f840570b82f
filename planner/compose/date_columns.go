package compose

import (
	"slices"

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
	e, inputs := sourceOfColumn(n, at)
	if e != nil {
		return isDayExpr(e, inputs[0])
	}
	return len(inputs) > 0 && !slices.ContainsFunc(inputs, func(in plan.Node) bool { return !isDayColumn(in, at) })
}

// sourceOfColumn returns the expression that a column of a node is computed by, and the input that it is over; without one the inputs whose
// column at the same place it is, and none where the plan does not show its source.
func sourceOfColumn(n plan.Node, at int) (e sqlexpr.Expr, inputs []plan.Node) {
	switch n := n.(type) {
	case *plan.Project:
		return n.Cols[at].Expr, n.Inputs()
	case *plan.Aggregate:
		if at < len(n.Keys) {
			return n.Keys[at].Expr, n.Inputs()
		}
		return n.Measures[at-len(n.Keys)].Expr, n.Inputs()
	case *plan.GroupingSets:
		switch {
		case at < len(n.Keys):
			return n.Keys[at].Expr, n.Inputs()
		case at > len(n.Keys):
			return n.Measures[at-len(n.Keys)-1].Expr, n.Inputs()
		}
	case *plan.Combine:
		if at < n.Keys {
			return nil, n.Branches
		}
	case *plan.Window:
		if width := len(n.Input.Schema()); at >= width {
			return n.Funcs[at-width].Expr, n.Inputs()
		}
		return nil, n.Inputs()
	case *plan.Filter, *plan.SemiJoin, *plan.Sort, *plan.Limit, *plan.Offset, *plan.FirstColumns, *plan.Derived:
		return nil, n.Inputs()[:1]
	default: // the columns of other nodes are those of tables, whose texts are stored ones, or of statements, which are cast
	}
	return nil, nil
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
