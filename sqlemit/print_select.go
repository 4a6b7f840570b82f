package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// statement prints a block and everything below it.
func (w *writer) statement(b *block) {
	if b == nil || w.err != nil {
		return
	}
	if b.out == nil {
		w.invalid("the plan selects no columns")
		return
	}
	w.text("SELECT")
	w.depth++
	for i := range b.out.cols {
		w.item(i)
		c := &b.out.cols[i]
		w.col(c, precAny)
		w.text(" AS ")
		w.quoted(c.name)
	}
	w.depth--
	w.space()
	w.text("FROM ")
	w.source(b.from)
	w.hide(b)
	w.conditions("WHERE ", b.where)
	w.groupBy(b)
	w.conditions("HAVING ", b.having)
	w.orderBy(b)
	if b.limited {
		w.space()
		w.text("LIMIT ")
		w.integer(b.limit)
	}
}

// hide notes the aliases that the output columns of a block hide from its GROUP BY
// and HAVING.
func (w *writer) hide(b *block) {
	if !w.d.aliasesHide || w.renamed != nil {
		return
	}
	hides := len(b.having) > 0
	for i := range b.keys {
		hides = hides || b.position(i+1) == 0
	}
	for i := range b.out.cols {
		name := b.out.cols[i].name
		w.labels = append(w.labels, name)
		if alias, taken := w.names.spelled[folded(name)]; hides && taken {
			w.hidden = append(w.hidden, alias)
		}
	}
}

func (w *writer) conditions(clause string, conds []condition) {
	min := precAny
	if len(conds) > 1 {
		min = precAnd
	}
	for i, c := range conds {
		if i == 0 {
			w.space()
			w.text(clause)
		} else {
			w.depth++
			w.space()
			w.text("AND ")
			w.depth--
		}
		w.in = c.in
		w.expr(c.expr, min)
	}
	w.in = nil
}

// groupBy prints the keys by their position in the select list. A position is
// right on every engine where an expression is not: a constant key is an error
// or a position by accident, and some engines do not see that the key's
// expression and the selected one are the same. A key that is not selected has
// no position and no such problem.
func (w *writer) groupBy(b *block) {
	for i := range b.keys {
		if i == 0 {
			w.space()
			w.text("GROUP BY ")
		} else {
			w.text(", ")
		}
		if p := b.position(i + 1); p > 0 {
			w.integer(int64(p))
		} else {
			w.col(&b.keys[i], precAny)
		}
	}
}

func (b *block) position(key int) int {
	for i := range b.out.cols {
		if b.out.cols[i].key == key {
			return i + 1
		}
	}
	return 0
}

func (w *writer) orderBy(b *block) {
	for i, k := range b.order {
		if k.Col < 0 || k.Col >= len(b.out.cols) {
			w.invalid("a sort key points outside the columns")
			return
		}
		if i == 0 {
			w.space()
			w.text("ORDER BY ")
		} else {
			w.text(", ")
		}
		c := &b.out.cols[k.Col]
		nulls := !k.NotNull && !neverNull(c)
		if nulls && !w.d.sort.nullsLast && !k.Desc {
			w.nullness(b, c)
			w.text(" IS NULL, ")
		}
		w.quoted(c.name)
		if k.Desc {
			w.text(" DESC")
		}
		if nulls && w.d.sort.nullsLast {
			w.text(" NULLS LAST")
		}
	}
}

// nullness prints the operand of the IS NULL that keeps nulls last. It is the
// expression and not the alias, because inside an expression an engine looks
// for an input column of that name first. A computed group key is not
// recognised there; any aggregate that keeps its value is.
func (w *writer) nullness(b *block, c *col) {
	if c.key > 0 && b.grouped && !isColumn(c) {
		w.text("MIN(")
		w.col(c, precAny)
		w.byte(')')
		return
	}
	w.col(c, precConcat)
}

// neverNull recognises counts and ranks.
func neverNull(c *col) bool {
	switch e := c.expr.(type) {
	case *sqlexpr.Call:
		switch e.Fn {
		case sqlexpr.FnCount:
			return true
		case sqlexpr.FnCoalesce:
			_, ok := e.Args[len(e.Args)-1].(*sqlexpr.Number)
			return ok
		}
	case *sqlexpr.Over:
		switch e.Call.Fn {
		case sqlexpr.FnCount, sqlexpr.FnRowNumber, sqlexpr.FnRank, sqlexpr.FnDenseRank,
			sqlexpr.FnNtile, sqlexpr.FnPercentRank, sqlexpr.FnCumeDist:
			return true
		}
	case *sqlexpr.Ref:
		return c.in.has(e.ID) && neverNull(&c.in.cols[e.ID])
	}
	return false
}

// source prints what stands in FROM.
func (w *writer) source(s source) {
	outer := w.in
	w.in = nil
	switch s := s.(type) {
	case tableTree:
		w.tables(s.node)
	case derived:
		w.subquery(s.block, s.alias)
	case product:
		for i, t := range s.tables {
			if i > 0 {
				w.space()
				w.text("CROSS JOIN ")
			}
			w.subquery(t.block, t.alias)
		}
	case *union:
		w.open()
		for i, b := range s.arms {
			if i > 0 {
				w.space()
				w.text("UNION ALL")
				w.space()
			}
			w.statement(b)
		}
		w.close()
		w.as(s.alias)
	}
	w.in = outer
}

func (w *writer) subquery(b *block, alias string) {
	w.open()
	w.statement(b)
	w.close()
	w.as(alias)
}

func (w *writer) as(alias string) {
	w.text(" AS ")
	w.alias(alias)
}

// tables prints a tree of joins, left to right.
func (w *writer) tables(n plan.Node) {
	switch n := n.(type) {
	case *plan.Scan:
		w.scan(n)
	case *plan.Derived:
		w.subquery(w.build(n.Input), n.Alias)
	case *plan.Filter:
		w.tables(n.Input) // its conditions were hoisted into WHERE
	case *plan.Join:
		w.tables(n.Left)
		w.join(n)
	default:
		w.invalid("a join over something that is no table")
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
		w.invalid("the right side of a join is no table")
	}
	for i, p := range n.On {
		if i == 0 {
			w.text(" ON ")
		} else {
			w.text(" AND ")
		}
		if p.NullSafe {
			w.fill(&w.d.ops.joinSame, precAnd, p.Left, p.Right)
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
		w.as(n.Alias)
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
	w.as(n.Alias)
}
