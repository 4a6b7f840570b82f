package sqlemit

import "github.com/semlayer/semlayer/planner/plan"

// inSubqueryRows is the right side of IN: a block of one column.
type inSubqueryRows struct {
	rows *selectBlock
	not  bool
}

// buildSemiJoin adds IN and a subquery to WHERE:
//
//	WHERE k IN (SELECT r.k FROM (SELECT …) AS r)
func (w *writer) buildSemiJoin(n *plan.SemiJoin) *selectBlock {
	b := w.buildBlock(n.Input)
	if b != nil && (b.isLimitedOrOrdered() || b.windowed || b.grouped) {
		b = w.wrapInBlock(b)
	}
	if b == nil {
		return nil
	}
	p := w.newSemiJoinPredicate(n)
	if p.member == nil {
		return nil
	}
	p.in = b.out
	b.where = append(b.where, p)
	return b
}

// newSemiJoinPredicate returns the condition of a semi-join. Some engines take no LIMIT in a subquery of IN, and MariaDB compares a
// constant before it computes the window functions of the subquery, so one with either is inside of another.
func (w *writer) newSemiJoinPredicate(n *plan.SemiJoin) predicate {
	if w.d.members != nil {
		n = w.d.members(n)
	}
	rows := w.buildBlock(n.Rows)
	if rows != nil && (rows.isLimitedOrOrdered() || rows.windowed) {
		rows = w.wrapInBlock(rows)
	}
	if rows == nil {
		return predicate{}
	}
	if rows.out == nil || len(rows.out.cols) != 1 {
		w.recordInternalError("a semi-join with rows of another number of columns than one")
		return predicate{}
	}
	return predicate{expr: n.Value, member: &inSubqueryRows{rows: rows, not: n.Not}}
}

// printInSubqueryCondition prints a condition with a subquery where a condition of at least the precedence min may be.
func (w *writer) printInSubqueryCondition(p predicate, min precedence) {
	if p.member.not && w.d.ops.inIgnoresNullRows {
		w.printNotInWithNullCounts(p, min)
		return
	}
	opened := w.openParenIfNeeded(precCompare, min)
	w.printInSubquery(p)
	w.closeOpenedParen(opened)
}

func (w *writer) printInSubquery(p predicate) {
	w.printExpr(p.expr, precConcat)
	if p.member.not {
		w.appendText(" NOT")
	}
	w.appendText(" IN ")
	w.openSubqueryParenthesis()
	w.printStatement(p.member.rows)
	w.closeSubqueryParenthesis()
	w.scope = p.in
}

// printNotInWithNullCounts is NOT IN where the engine does not see NULLs among the rows, as a condition of a filter:
//
//	x NOT IN (SELECT …) AND x IS NOT NULL AND (SELECT COUNT(*) - COUNT(k) FROM (SELECT …) AS k) = 0
//	OR (SELECT COUNT(*) FROM (SELECT …) AS k) = 0
func (w *writer) printNotInWithNullCounts(p predicate, min precedence) {
	opened := w.openParenIfNeeded(precOr, min)
	w.printInSubquery(p)
	w.appendText(" AND ")
	w.printExpr(p.expr, precConcat)
	w.appendText(" IS NOT NULL AND ")
	w.printRowCountSubquery(p.member.rows, true)
	w.appendText(" = 0 OR ")
	w.printRowCountSubquery(p.member.rows, false)
	w.appendText(" = 0")
	w.closeOpenedParen(opened)
}

// printRowCountSubquery prints the number of rows of a block of one column, or of those that are NULL.
func (w *writer) printRowCountSubquery(rows *selectBlock, nulls bool) {
	const alias = "member_rows"
	w.openSubqueryParenthesis()
	w.appendText("SELECT COUNT(*)")
	if nulls {
		w.appendText(" - COUNT(")
		w.printQuotedName(alias)
		w.appendByte('.')
		w.printQuotedName(rows.out.cols[0].name)
		w.appendByte(')')
	}
	w.printClauseSpace()
	w.appendText("FROM ")
	w.printSubquery(rows, alias)
	w.closeSubqueryParenthesis()
}
