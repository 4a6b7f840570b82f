package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// printFromClauseContent prints what FROM holds.
func (w *writer) printFromClauseContent(s fromSource) {
	outer := w.scope
	w.scope = nil
	switch s := s.(type) {
	case joinTree:
		w.printJoinTree(s.node)
	case *derivedTable:
		w.printSubquery(s.block, s.alias)
	case crossJoin:
		for i, t := range s.tables {
			if i > 0 {
				w.printClauseSpace()
				w.appendText("CROSS JOIN ")
			}
			w.printFromClauseContent(t)
		}
	case *blockUnion:
		w.openSubqueryParenthesis()
		for i, b := range s.arms {
			if i > 0 {
				w.printClauseSpace()
				w.appendText("UNION ALL")
				w.printClauseSpace()
			}
			w.printStatement(b)
		}
		w.closeSubqueryParenthesis()
		w.printAliasClause(s.alias)
	}
	w.scope = outer
}

func (w *writer) printSubquery(b *selectBlock, alias string) {
	w.openSubqueryParenthesis()
	w.printStatement(b)
	w.closeSubqueryParenthesis()
	w.printAliasClause(alias)
}

func (w *writer) printAliasClause(alias string) {
	w.appendText(" AS ")
	w.printTableAlias(alias)
}

// printJoinTree prints a tree of joins, left to right.
func (w *writer) printJoinTree(n plan.Node) {
	switch n := n.(type) {
	case *plan.Scan:
		w.printScan(n)
	case *plan.Derived:
		if n.Shared {
			w.printCommonTable(n)
			return
		}
		w.printSubquery(w.derived[n], n.Alias)
	case *plan.Filter:
		w.printJoinTree(n.Input) // its conditions were hoisted into WHERE
	case *plan.SemiJoin:
		w.printJoinTree(n.Input) // as those of a filter
	case *plan.Join:
		w.printJoinTree(n.Left)
		w.printJoin(n)
	default:
		w.recordInternalError("a join over something that is not a table")
	}
}

func (w *writer) printJoin(n *plan.Join) {
	w.printClauseSpace()
	switch {
	case len(n.On) == 0 && n.Kind == plan.InnerJoin:
		w.appendText("CROSS JOIN ")
	case n.Kind == plan.InnerJoin:
		w.appendText("INNER JOIN ")
	default:
		w.appendText("LEFT JOIN ")
	}
	switch n.Right.(type) {
	case *plan.Scan, *plan.Derived:
		w.printJoinTree(n.Right)
	default:
		w.recordInternalError("the right side of a join is not a table")
	}
	for i, p := range n.On {
		if p.Integers && w.d.integerKey != nil {
			p.Left, p.Right = w.d.integerKey(p.Left), w.d.integerKey(p.Right)
		}
		if i == 0 {
			w.appendText(" ON ")
		} else {
			w.appendText(" AND ")
		}
		if p.NullSafe {
			w.printTemplate(&w.d.ops.joinSame, precAnd, p.Left, p.Right)
			continue
		}
		if isDeclaredTime(p.Left) || isDeclaredTime(p.Right) {
			// A date is compared with a timestamp, which an engine may print as in a condition.
			w.printExpr(newBinary(sqlexpr.OpEq, p.Left, p.Right), precAnd)
			continue
		}
		left, right := p.Left, p.Right
		if p.ComparesAsRight && w.d.leftCollationDecides {
			left, right = right, left
		}
		w.printExpr(left, precConcat)
		w.appendText(" = ")
		w.printExpr(right, precConcat)
	}
	if len(n.On) == 0 && n.Kind != plan.InnerJoin {
		w.appendText(" ON TRUE")
	}
	if n.Valid != nil {
		w.printJoinValidityCondition(n.Valid)
	}
}

// printScan prints a table, or the model's own query as one.
func (w *writer) printScan(n *plan.Scan) {
	if n.Source.Query == "" {
		w.printTableName(n.Source.Table)
		w.printAliasClause(n.Alias)
		return
	}
	query := strings.TrimRight(n.Source.Query, "; \t\r\n")
	w.appendByte('(')
	w.appendText(query)
	// The text may end in a comment, which would swallow the parenthesis.
	if strings.ContainsAny(query, "-#") {
		w.appendByte('\n')
	}
	w.appendByte(')')
	w.printAliasClause(n.Alias)
}
