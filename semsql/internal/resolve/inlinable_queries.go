package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// CanInlineDerivedTable reports whether a query only projects and filters one relation, so that the select around it
// can read that relation itself.
func CanInlineDerivedTable(q *parse.Query) bool {
	s, ok := q.Body.(*parse.Select)
	if !ok || q.Limit != nil || q.Offset != nil || s.Distinct || len(s.GroupBy) > 0 || s.Having != nil || len(s.From) != 1 {
		return false
	}
	switch s.From[0].(type) {
	case *parse.Table, *parse.DerivedTable:
	default:
		return false
	}
	for _, item := range s.Items {
		if !isRowScalar(item.X) {
			return false
		}
	}
	return s.Where == nil || isRowScalar(s.Where)
}

// isRowScalar reports whether an expression has a value for each row: no aggregate, window or subquery.
func isRowScalar(e parse.Expr) bool {
	scalar := true
	parse.Walk(e, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.MeasureCall, *parse.InQuery, *parse.ScalarSubquery, *parse.Exists:
			scalar = false
		case *parse.Call:
			scalar = scalar && n.Over == nil && !IsAggregate(n)
		}
		return scalar
	})
	return scalar
}

// HasAggregate reports whether an expression aggregates at its own level: subqueries and windows apart.
func HasAggregate(e parse.Expr) bool {
	found := false
	parse.Walk(e, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.MeasureCall:
			found = true
		case *parse.Call:
			found = found || n.Over == nil && IsAggregate(n)
		case *parse.Query:
			return false
		}
		return !found
	})
	return found
}

// HasWindow reports whether an expression has a window call.
func HasWindow(e parse.Expr) bool {
	found := false
	parse.Walk(e, func(n parse.Node) bool {
		c, ok := n.(*parse.Call)
		found = found || ok && c.Over != nil
		return !found
	})
	return found
}

// IsAggregate reports whether a call is of an aggregate, or GROUPING, which has a value after grouping too.
func IsAggregate(c *parse.Call) bool {
	if c.IsGrouping() || strings.EqualFold(c.Function.Text, "count_if") {
		return true
	}
	info, ok := sqlexpr.LookupFunc(c.Function.Text)
	return ok && info.Class == sqlexpr.ClassAggregate
}

// RepeatedCommonTables returns the common tables that the text of a query reads at more than one place.
func RepeatedCommonTables(q *parse.Query) map[*parse.CommonTable]bool {
	c := commonTableReads{read: map[*parse.CommonTable]bool{}, repeated: map[*parse.CommonTable]bool{}}
	c.visit(q, nil)
	return c.repeated
}

type commonTableReads struct{ read, repeated map[*parse.CommonTable]bool }

// visit counts the common tables that a node reads. A common table sees those before it.
func (c commonTableReads) visit(n parse.Node, visible *CommonTables) {
	if t, ok := n.(*parse.Table); ok && len(t.Path) == 1 {
		if table, _ := visible.FindCommonTable(t.Path[0]); table != nil {
			c.repeated[table] = c.repeated[table] || c.read[table]
			c.read[table] = true
		}
	}
	parse.VisitChildren(n, func(child parse.Node) {
		c.visit(child, visible)
		if table, ok := child.(*parse.CommonTable); ok {
			visible = visible.WithCommonTables([]*parse.CommonTable{table})
		}
	})
}
