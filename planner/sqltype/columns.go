package sqltype

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// ColumnTypesOfPlan returns the types of the columns of a plan. A column that is a field has the type that the plan declares
// for it. metric reports whether a column holds a metric, whose arithmetic is numeric or double precision; nil
// is for a plan without metrics.
func ColumnTypesOfPlan(root plan.Node, metric func(column int) bool) []Type {
	return columnTypesOfNode(root, metric)
}

func columnTypesOfNode(n plan.Node, metric func(int) bool) []Type {
	switch n := n.(type) {
	case *plan.Filter, *plan.Sort, *plan.Limit, *plan.Offset, *plan.Derived, *plan.SemiJoin:
		return columnTypesOfNode(n.Inputs()[0], metric)
	case *plan.FirstColumns:
		return columnTypesOfNode(n.Input, metric)[:n.Count]
	case *plan.Project:
		return namedExprTypes(n.Cols, n.Input, metric)
	case *plan.Aggregate:
		return append(namedExprTypes(n.Keys, n.Input, nil), namedExprTypes(n.Measures, n.Input, nil)...)
	case *plan.GroupingSets:
		out := append(namedExprTypes(n.Keys, n.Input, nil), Integer)
		return append(out, namedExprTypes(n.Measures, n.Input, nil)...)
	case *plan.Window:
		return append(columnTypesOfNode(n.Input, nil), namedExprTypes(n.Funcs, n.Input, nil)...)
	case *plan.Combine:
		return columnTypesOfBranchesCombinedOnKeys(n)
	default: // the schema is all that is known
		return declaredColumnTypes(n.Schema())
	}
}

func declaredColumnTypes(s plan.Schema) []Type {
	out := make([]Type, len(s))
	for i, c := range s {
		out[i] = FromLogicalType(c.Type)
	}
	return out
}

func columnTypesOfBranchesCombinedOnKeys(n *plan.Combine) []Type {
	out := declaredColumnTypes(n.Schema()[:n.Keys])
	for _, b := range n.Branches {
		out = append(out, columnTypesOfNode(b, nil)[n.Keys:]...)
	}
	return out
}

// namedExprTypes returns the types of computed columns.
func namedExprTypes(cols []plan.NamedExpr, in plan.Node, metric func(int) bool) []Type {
	var input []Type
	if in.Schema() != nil {
		input = columnTypesOfNode(in, nil)
	}
	leaf := func(e sqlexpr.Expr) Type {
		if r, ok := e.(*sqlexpr.Ref); ok && r.ID >= 0 && r.ID < len(input) {
			return input[r.ID]
		}
		return Unknown
	}
	out := make([]Type, len(cols))
	for i, c := range cols {
		out[i] = typeInference{leaf: leaf, metric: metric != nil && metric(i)}.typeOfColumn(c)
	}
	return out
}

// typeOfColumn returns the type of a computed column: of its expression, else as the plan declares it.
func (t typeInference) typeOfColumn(c plan.NamedExpr) Type {
	if own := t.typeOfExpr(c.Expr); own != Unknown {
		return own
	}
	declared := FromLogicalType(c.Type)
	if call := callOfExpr(c.Expr); call != nil && call.Fn == sqlexpr.FnSum {
		return sumType(declared)
	}
	return declared
}

// callOfExpr returns the call that an expression is; nil for any other.
func callOfExpr(e sqlexpr.Expr) *sqlexpr.Call {
	switch e := e.(type) {
	case *sqlexpr.Call:
		return e
	case *sqlexpr.WindowCall:
		return e.Call
	}
	return nil
}
