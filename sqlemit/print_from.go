package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/planner/plan"
)

// source prints what FROM holds.
func (w *writer) source(s source) {
	outer := w.scope
	w.scope = nil
	switch s := s.(type) {
	case tableTree:
		w.tables(s.node)
	case derived:
		w.subquery(s.block, s.alias)
	case crossProduct:
		for i, t := range s.tables {
			if i > 0 {
				w.space()
				w.text("CROSS JOIN ")
			}
			w.subquery(t.block, t.alias)
		}
	case *union:
		w.openSubquery()
		for i, b := range s.arms {
			if i > 0 {
				w.space()
				w.text("UNION ALL")
				w.space()
			}
			w.statement(b)
		}
		w.closeSubquery()
		w.aliasClause(s.alias)
	}
	w.scope = outer
}

func (w *writer) subquery(b *selectBlock, alias string) {
	w.openSubquery()
	w.statement(b)
	w.closeSubquery()
	w.aliasClause(alias)
}

func (w *writer) aliasClause(alias string) {
	w.text(" AS ")
	w.alias(alias)
}

// tables prints a tree of joins, left to right.
func (w *writer) tables(n plan.Node) {
	switch n := n.(type) {
	case *plan.Scan:
		w.scan(n)
	case *plan.Derived:
		w.subquery(w.derived[n], n.Alias)
	case *plan.Filter:
		w.tables(n.Input) // its conditions were hoisted into WHERE
	case *plan.Join:
		w.tables(n.Left)
		w.join(n)
	default:
		w.invalid("a join over something that is not a table")
	}
}

func (w *writer) join(n *plan.Join) {
	w.space()
	switch {
	case len(n.On) == 0 && n.Kind == plan.InnerJoin:
		w.text("CROSS JOIN ")
	case n.Kind == plan.InnerJoin:
		w.text("INNER JOIN ")
	default:
		w.text("LEFT JOIN ")
	}
	switch n.Right.(type) {
	case *plan.Scan, *plan.Derived:
		w.tables(n.Right)
	default:
		w.invalid("the right side of a join is not a table")
	}
	for i, p := range n.On {
		if i == 0 {
			w.text(" ON ")
		} else {
			w.text(" AND ")
		}
		if p.NullSafe {
			w.render(&w.d.ops.joinSame, precAnd, p.Left, p.Right)
			continue
		}
		w.expr(p.Left, precConcat)
		w.text(" = ")
		w.expr(p.Right, precConcat)
	}
	if len(n.On) == 0 && n.Kind != plan.InnerJoin {
		w.text(" ON TRUE")
	}
}

// scan prints a table, or the model's own query as one.
func (w *writer) scan(n *plan.Scan) {
	if n.Source.Query == "" {
		w.table(n.Source.Table)
		w.aliasClause(n.Alias)
		return
	}
	query := strings.TrimRight(n.Source.Query, "; \t\r\n")
	w.byte('(')
	w.text(query)
	// The text may end in a comment, which would swallow the parenthesis.
	if strings.ContainsAny(query, "-#") {
		w.byte('\n')
	}
	w.byte(')')
	w.aliasClause(n.Alias)
}
