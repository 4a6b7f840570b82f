package compose

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// addWindows computes the window calls of the items and the sort keys, each once.
func (b *selectBuilder) addWindows() error {
	calls := collectWindowCalls(b.items, b.keys)
	switch {
	case len(calls) == 0:
		return nil
	case len(calls) > limits.QueryColumns:
		return tooManyPartsError("window calls")
	}
	b.wrapTooLargeNode(calls...)
	first := len(b.columns)
	columns := b.columns[:first:first]
	for _, call := range calls {
		columns = append(columns, newColumn(strings.ToLower(callName(call.(*sqlexpr.WindowCall).Call)), call, b.columns))
	}
	all := make([]sqlexpr.Expr, 0, len(columns))
	for i := range first {
		all = append(all, newColumnRef(i))
	}
	b.node = &plan.Window{Input: b.node, Funcs: newNamedExprs(append(all, calls...), columnsRenamedToSchema(columns, b.node.Schema()))[first:]}
	b.columns = columns
	replace := func(x sqlexpr.Expr) sqlexpr.Expr {
		if over, ok := x.(*sqlexpr.WindowCall); ok {
			return newColumnRef(first + indexOfExpr(calls, over))
		}
		return nil
	}
	b.items = rewriteExprs(b.items, replace)
	for i, k := range b.keys {
		if k != nil {
			b.keys[i] = sqlexpr.Rewrite(k, replace)
		}
	}
	return nil
}

func collectWindowCalls(lists ...[]sqlexpr.Expr) []sqlexpr.Expr {
	var calls []sqlexpr.Expr
	for _, list := range lists {
		for _, e := range list {
			sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
				if _, ok := x.(*sqlexpr.WindowCall); ok && len(calls) <= limits.QueryColumns && indexOfExpr(calls, x) < 0 {
					calls = append(calls, x)
				}
				return true
			})
		}
	}
	return calls
}

// columnsRenamedToSchema returns columns of which the first have the names of a node.
func columnsRenamedToSchema(columns []sizedColumn, s plan.Schema) []sizedColumn {
	out := append([]sizedColumn(nil), columns...)
	for i, c := range s {
		out[i].Name = c.Name
	}
	return out
}

// NullsFirstOrderItems returns the keys of an ORDER BY in OVER that has the NULLs of a value first: in OVER they are last
// without.
func NullsFirstOrderItems(o sqlexpr.OrderItem) []sqlexpr.OrderItem {
	isNull := &sqlexpr.Case{
		Whens: []sqlexpr.When{{Cond: &sqlexpr.IsNull{X: o.X}, Then: &sqlexpr.Number{Text: "0"}}},
		Else:  &sqlexpr.Number{Text: "1"},
	}
	return []sqlexpr.OrderItem{{X: isNull}, o}
}
