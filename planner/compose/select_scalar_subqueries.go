package compose

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// A scalar subquery is a relation of one row beside the rows of the SELECT. One that is read before GROUP BY is
// there before the grouping; one that is read after it is there after, so that a group without rows has it too.

// addScalarSubqueriesBeforeGroups adds the scalar subqueries that are read before GROUP BY.
func (b *selectBuilder) addScalarSubqueriesBeforeGroups() error {
	before := append([]sqlexpr.Expr{b.where}, b.whereIn...)
	before = append(before, b.groups...)
	if b.grouped {
		g := groupsAndAggregates{}
		g.collectAggregates(b.having)
		g.collectAggregates(b.havingIn...)
		g.collectAggregates(b.items...)
		g.collectAggregates(b.keys...)
		before = append(before, g.aggregates...)
	} else {
		before = append(append(before, b.items...), b.keys...)
	}
	if err := b.joinScalarSubqueries(b.s.From, len(b.scope.columns), before); err != nil {
		return err
	}
	if b.where != nil {
		b.where = b.rewriteScalarSubqueryRefs(b.where)
	}
	b.whereIn = b.rewriteAllScalarSubqueryRefs(b.whereIn)
	if !b.grouped {
		b.items, b.keys = b.rewriteAllScalarSubqueryRefs(b.items), b.rewriteAllScalarSubqueryRefs(b.keys)
	}
	return nil
}

// addScalarSubqueriesAfterGroups adds those that are read after GROUP BY.
func (b *selectBuilder) addScalarSubqueriesAfterGroups() error {
	if !b.grouped {
		return nil
	}
	after := append([]sqlexpr.Expr{b.having}, b.havingIn...)
	after = append(append(after, b.items...), b.keys...)
	rows := &Rows{node: b.node, columns: b.columns, visible: len(b.columns), oneRow: b.count}
	if err := b.joinScalarSubqueries(rows, len(b.columns), after); err != nil {
		return err
	}
	return b.rewriteAfterGroupBy(func(e sqlexpr.Expr) (sqlexpr.Expr, error) { return b.rewriteScalarSubqueryRefs(e), nil })
}

// joinScalarSubqueries puts the scalar subqueries that expressions read beside rows. first is the reference that means the
// first of them.
func (b *selectBuilder) joinScalarSubqueries(rows *Rows, first int, readers []sqlexpr.Expr) error {
	b.scalarAt, b.firstScalar = make([]int, len(b.s.Scalars)), first
	read := make([]bool, len(b.s.Scalars))
	for _, e := range readers {
		for r := range sqlexpr.Refs(e) {
			if r.ID >= first && r.ID < first+len(read) {
				read[r.ID-first] = true
			}
		}
	}
	var tables []*Rows
	for i, sub := range b.s.Scalars {
		if read[i] {
			b.scalarAt[i] = first + len(tables)
			tables = append(tables, b.c.ensureScalarSubqueryRow(sub))
		}
	}
	if len(tables) == 0 {
		if rows == b.s.From {
			b.node = rows.nodeOfVisibleColumns()
		}
		return nil
	}
	joined := b.c.crossJoin(append([]*Rows{rows}, tables...))
	b.node, b.columns = joined.node, joined.columns
	return nil
}

// rewriteScalarSubqueryRefs returns an expression whose scalar subqueries are the columns beside the rows.
func (b *selectBuilder) rewriteScalarSubqueryRefs(e sqlexpr.Expr) sqlexpr.Expr {
	if len(b.s.Scalars) == 0 {
		return e
	}
	var replace func(x sqlexpr.Expr) sqlexpr.Expr
	replace = func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.WindowCall:
			return rewriteWindowOperands(x, replace)
		case *sqlexpr.Ref:
			if x.ID >= b.firstScalar {
				return newColumnRef(b.scalarAt[x.ID-b.firstScalar])
			}
		}
		return nil
	}
	return sqlexpr.Rewrite(e, replace)
}

func (b *selectBuilder) rewriteAllScalarSubqueryRefs(all []sqlexpr.Expr) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(all))
	for i, e := range all {
		if e != nil {
			out[i] = b.rewriteScalarSubqueryRefs(e)
		}
	}
	return out
}

// ensureScalarSubqueryRow returns a scalar subquery with a row of NULL where it has none: the maximum of its value.
func (c *Composer) ensureScalarSubqueryRow(r *Rows) *Rows {
	if r.oneRow == exactlyOneRow {
		return r
	}
	value := r.visibleColumns()[0]
	largest := &sqlexpr.Call{Fn: sqlexpr.FnMax, Name: sqlexpr.Name{Text: "MAX"}, Args: []sqlexpr.Expr{newColumnRef(0)}}
	n := &plan.Aggregate{Input: r.nodeOfVisibleColumns(), Measures: []plan.NamedExpr{{Name: value.Name, Expr: largest, Type: value.Type.Logical()}}}
	return &Rows{node: n, columns: []sizedColumn{value}, visible: 1, oneRow: exactlyOneRow}
}

// inferRowCount returns the number of rows, as far as a plan determines it.
func inferRowCount(n plan.Node) rowCountBound {
	switch n := n.(type) {
	case *plan.Aggregate:
		if len(n.Keys) == 0 {
			return exactlyOneRow
		}
	case *plan.Combine:
		if n.Keys == 0 {
			return exactlyOneRow
		}
	case *plan.Project:
		return inferRowCount(n.Input)
	case *plan.Window:
		return inferRowCount(n.Input)
	case *plan.Derived:
		return inferRowCount(n.Input)
	case *plan.Sort:
		return inferRowCount(n.Input)
	case *plan.Filter:
		return min(inferRowCount(n.Input), oneRowAtMost)
	case *plan.SemiJoin:
		return min(inferRowCount(n.Input), oneRowAtMost)
	case *plan.Offset:
		return min(inferRowCount(n.Input), oneRowAtMost)
	case *plan.Limit:
		return inferRowCount(n.Input).withLimit(n.N)
	default: // may have any number of rows
	}
	return unknownRowCount
}

// withLimit returns the number of rows after a limit.
func (c rowCountBound) withLimit(limit int64) rowCountBound {
	switch limit {
	case 0:
		return oneRowAtMost
	case 1:
		return max(c, oneRowAtMost)
	}
	return c
}
