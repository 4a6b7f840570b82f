package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// statement prints a block and everything below it.
func (w *writer) statement(b *selectBlock) {
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
		w.startItem(i)
		c := &b.out.cols[i]
		w.col(c, precAny)
		w.text(" AS ")
		w.quoted(c.name)
	}
	w.depth--
	w.space()
	w.text("FROM ")
	w.source(b.from)
	w.predicates("WHERE ", b.where)
	w.groupBy(b)
	w.predicates("HAVING ", b.having)
	w.orderBy(b)
	w.limit(b)
}

func (w *writer) predicates(clause string, conds []predicate) {
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
		w.scope = c.in
		w.expr(c.expr, min)
	}
	w.scope = nil
}

// groupBy prints the keys by their position in the select list. A position is
// right on every engine where an expression is not: a constant key is an error
// or a position by accident, and some engines do not see that the key's
// expression and the selected one are the same. A key that is not selected has
// no position and no such problem.
func (w *writer) groupBy(b *selectBlock) {
	for i := range b.keys {
		if i == 0 {
			w.space()
			w.text("GROUP BY ")
		} else {
			w.text(", ")
		}
		if p := b.keyPosition(i + 1); p > 0 {
			w.integer(int64(p))
		} else {
			w.col(&b.keys[i], precAny)
		}
	}
}

func (b *selectBlock) keyPosition(key int) int {
	for i := range b.out.cols {
		if b.out.cols[i].key == key {
			return i + 1
		}
	}
	return 0
}

func (w *writer) orderBy(b *selectBlock) {
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
		nulls := !k.NotNull && !isNeverNull(c)
		if nulls && !w.d.sort.nullsLast && !k.Desc {
			w.nullOperand(b, c)
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

// nullOperand prints the operand of the IS NULL that keeps nulls last. It is the
// expression and not the alias, because inside an expression an engine looks
// for an input column of that name first. A computed group key is not
// recognised there; any aggregate that keeps its value is.
func (w *writer) nullOperand(b *selectBlock, c *outputColumn) {
	if c.key > 0 && b.grouped && !isColumn(c) {
		w.text("MIN(")
		w.col(c, precAny)
		w.byte(')')
		return
	}
	w.col(c, precConcat)
}

// isNeverNull recognises counts and ranks.
func isNeverNull(c *outputColumn) bool {
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
		return c.scope.has(e.ID) && isNeverNull(&c.scope.cols[e.ID])
	}
	return false
}
