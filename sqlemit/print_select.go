package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// printStatement prints a block and everything below it.
func (w *writer) printStatement(b *selectBlock) {
	if b == nil || w.err != nil {
		return
	}
	if b.out == nil {
		w.recordInternalError("the plan selects no columns")
		return
	}
	w.appendText("SELECT")
	w.depth++
	for i := range b.out.cols {
		w.startListItem(i)
		c := &b.out.cols[i]
		w.printSelectedColumn(c)
		w.appendText(" AS ")
		w.printNameOfColumn(c)
	}
	w.depth--
	if _, none := b.from.(noTable); !none {
		w.printClauseSpace()
		w.appendText("FROM ")
		w.printFromClauseContent(b.from)
	}
	w.printPredicateClause("WHERE ", b.where)
	if b.sets != nil {
		w.printGroupingSets(b)
	} else {
		w.printGroupBy(b)
	}
	w.printPredicateClause("HAVING ", b.having)
	w.printOrderBy(b)
	w.printLimitClauses(b)
}

func (w *writer) printSelectedColumn(c *outputColumn) {
	if w.d.selected != nil {
		sent := *c
		sent.expr = w.d.selected(c)
		c = &sent
	}
	w.printOutputColumn(c, precAny)
}

// printNameOfColumn prints the name of a column after its expression and AS. The column of a derived table mostly keeps its
// name, which is then in the text before AS already.
func (w *writer) printNameOfColumn(c *outputColumn) {
	if column, ok := c.expr.(*sqlexpr.Column); ok && len(column.Path) == 2 && column.Path[1].Quoted && column.Path[1].Text == c.name {
		w.buf = append(w.buf, w.buf[w.lastQuotedAt:len(w.buf)-len(" AS ")]...)
		return
	}
	w.printQuotedName(c.name)
}

func (w *writer) printPredicateClause(clause string, conds []predicate) {
	min := precAny
	if len(conds) > 1 {
		min = precAnd
	}
	for i, c := range conds {
		if i == 0 {
			w.printClauseSpace()
			w.appendText(clause)
		} else {
			w.depth++
			w.printClauseSpace()
			w.appendText("AND ")
			w.depth--
		}
		w.scope = c.in
		if c.member != nil {
			w.printInSubqueryCondition(c, min)
			continue
		}
		w.printExpr(c.expr, min)
	}
	w.scope = nil
}

// printGroupBy prints the keys by their position in the select list. A position is
// right on every engine where an expression is not: a constant key is an error
// or a position by accident, and some engines do not see that the key's
// expression and the selected one are the same. A key that is not selected has
// no position and no such problem.
func (w *writer) printGroupBy(b *selectBlock) {
	for i := range b.keys {
		if i == 0 {
			w.printClauseSpace()
			w.appendText("GROUP BY ")
		} else {
			w.appendText(", ")
		}
		if p := b.keyPositionInSelect(i + 1); p > 0 {
			w.printInteger(int64(p))
		} else {
			w.printOutputColumn(&b.keys[i], precAny)
		}
	}
}

func (b *selectBlock) keyPositionInSelect(key int) int {
	for i := range b.out.cols {
		if b.out.cols[i].key == key {
			return i + 1
		}
	}
	return 0
}

func (w *writer) printOrderBy(b *selectBlock) {
	for i, k := range b.order {
		c, shown := b.findSortColumnByID(k.Col)
		if c == nil {
			w.recordInternalError("a sort key points outside the columns")
			return
		}
		if i == 0 {
			w.printClauseSpace()
			w.appendText("ORDER BY ")
		} else {
			w.appendText(", ")
		}
		nulls := !k.NotNull && !isNeverNull(c)
		w.printNullOrderKey(b, c, k, nulls)
		if shown {
			w.printQuotedName(c.name)
		} else {
			w.printOutputColumn(c, precAny)
		}
		if k.Desc {
			w.appendText(" DESC")
		}
		if nulls && w.d.sort.nullsLast {
			w.appendText(nullsClause(k))
		}
	}
}

// findSortColumnByID returns the column that a sort key names, nil where it has none, and whether it is selected.
func (b *selectBlock) findSortColumnByID(at int) (c *outputColumn, shown bool) {
	switch {
	case b.out.hasColumnID(at):
		return &b.out.cols[at], true
	case b.sorted.hasColumnID(at):
		return &b.sorted.cols[at], false
	}
	return nil, false
}

// printNullOrderKey prints the key in front of a sort key that places nulls, where the engine lacks NULLS FIRST
// and NULLS LAST and places them otherwise.
func (w *writer) printNullOrderKey(b *selectBlock, c *outputColumn, k plan.SortKey, nulls bool) {
	if !nulls || w.d.sort.nullsLast || k.Desc != k.NullsFirst {
		return
	}
	w.printNullsLastOperand(b, c)
	w.appendText(" IS NULL")
	if k.NullsFirst {
		w.appendText(" DESC")
	}
	w.appendText(", ")
}

func nullsClause(k plan.SortKey) string {
	if k.NullsFirst {
		return " NULLS FIRST"
	}
	return " NULLS LAST"
}

// printNullsLastOperand prints the operand of the IS NULL that keeps nulls last. It is the
// expression and not the alias, because inside an expression an engine looks
// for an input column of that name first. A computed group key is not
// recognised there; any aggregate that keeps its value is.
func (w *writer) printNullsLastOperand(b *selectBlock, c *outputColumn) {
	if c.key > 0 && b.grouped && !isPlainInputColumn(c) {
		w.appendText("MIN(")
		w.printOutputColumn(c, precAny)
		w.appendByte(')')
		return
	}
	w.printOutputColumn(c, precConcat)
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
	case *sqlexpr.WindowCall:
		switch e.Call.Fn {
		case sqlexpr.FnCount, sqlexpr.FnRowNumber, sqlexpr.FnRank, sqlexpr.FnDenseRank,
			sqlexpr.FnNtile, sqlexpr.FnPercentRank, sqlexpr.FnCumeDist:
			return true
		}
	case *sqlexpr.Ref:
		return c.scope.hasColumnID(e.ID) && isNeverNull(&c.scope.cols[e.ID])
	}
	return false
}
