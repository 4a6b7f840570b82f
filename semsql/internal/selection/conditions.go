package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// addConditions writes WHERE and HAVING as where_sql: the conditions over rows name fields, those over result rows
// name columns.
func (q *metricQuery) addConditions() error {
	var conds []sqlexpr.Expr
	timeRange, rest := q.extractTimeRange(dropTrueConditions(q.where), q.preferredTimeRangeField)
	q.body.TimeRange = timeRange
	for _, cond := range rest {
		if err := q.checkRowCondition(cond); err != nil {
			return err
		}
		conds = append(conds, q.ModelExpr(cond))
	}
	for _, cond := range q.aggregateSelect.having {
		if readsScalarSubquery(cond) || q.bindsListParam() || q.sets != nil {
			q.scalarConditions = append(q.scalarConditions, cond)
			continue
		}
		conds = append(conds, q.replaceColumnRefsWithNames(cond))
	}
	if e := sqlexpr.And(conds...); e != nil {
		q.body.WhereSQL = sqlexpr.Format(e)
	}
	return nil
}

// bindsListParam reports whether a parameter has several values, so that a metric has several columns.
func (q *metricQuery) bindsListParam() bool {
	return slices.ContainsFunc(q.body.Params, func(p query.ParamBinding) bool { return p.List })
}

// checkRowCondition rejects measures in WHERE.
func (c *selectClauses) checkRowCondition(cond sqlexpr.Expr) error {
	if agg := sqlexpr.FirstAggregate(cond); agg != nil {
		return c.aggregateInWhereError(agg.Pos(), sqlexpr.InfoOfFunction(agg.Fn).Name)
	}
	for ref := range c.Refs.ReferencesOf(cond) {
		if ref.Kind == resolve.MetricTimeReferenceKind {
			return sqlerror.New(planerr.CodeUnsupportedFilter, cond.Pos(), "metric_time is another field for each metric, so WHERE bounds it by constants in one range and reads it nowhere else").
				WithHint("compare metric_time by >= and < with constants, or name a time field")
		}
		if ref.Kind == resolve.MetricReferenceKind || ref.Kind == resolve.RowCountReferenceKind || ref.Kind == resolve.GroupingReferenceKind {
			return c.aggregateInWhereError(cond.Pos(), ref.Column)
		}
	}
	return nil
}

// aggregateInWhereError rejects a measure in WHERE. The retry has the condition in HAVING.
func (c *selectClauses) aggregateInWhereError(at int, name string) error {
	e := sqlerror.New(planerr.CodeAggregateInWhere, at, "WHERE reads the measure "+name+", which has a value after grouping").WithHint("write the condition in HAVING")
	moved := *c.syntax
	moved.Where = nil
	found := false
	for _, cond := range resolve.SplitConjuncts(c.syntax.Where) {
		if !found && hasConditionPartAtPosition(cond, at) {
			found, moved.Having = true, resolve.AndConditions(c.syntax.Having, cond)
			continue
		}
		moved.Where = resolve.AndConditions(moved.Where, cond)
	}
	if !found {
		return e
	}
	return e.WithSuggestedStatement(c.FormatWithReplacedPart(c.syntax, func() parse.Node { return &moved }))
}

// hasConditionPartAtPosition reports whether some part of a condition is at a position.
func hasConditionPartAtPosition(cond parse.Expr, at int) bool {
	found := false
	parse.Walk(cond, func(n parse.Node) bool {
		found = found || n.Pos() == at
		return !found
	})
	return found
}

// replaceColumnRefsWithNames writes an expression over columns with their names in the query. A group that a condition
// names has an explicit name, because its field would mean the rows.
func (q *metricQuery) replaceColumnRefsWithNames(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(resolve.ExpandZoneCalls(e), func(ref *sqlexpr.Ref) sqlexpr.Expr {
		if ref.ID < len(q.groups) {
			q.body.GroupBy[ref.ID].Name = q.names[ref.ID]
		}
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: q.names[ref.ID]}}}
	})
}

// dropTrueConditions leaves out the conditions that are constant and true, as tools write them: 1 = 1.
func dropTrueConditions(conds []sqlexpr.Expr) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, cond := range conds {
		truth, known := constantTruth(cond)
		switch {
		case !known:
			out = append(out, cond)
		case !truth:
			return []sqlexpr.Expr{&sqlexpr.Bool{Position: sqlexpr.Position(cond.Pos()), Value: false}}
		}
	}
	return out
}

// constantTruth returns the truth of a constant condition.
func constantTruth(e sqlexpr.Expr) (truth, known bool) {
	switch e := e.(type) {
	case *sqlexpr.Bool:
		return e.Value, true
	case *sqlexpr.Null:
		return false, true // as a condition
	case *sqlexpr.Binary:
		l, okL := e.L.(*sqlexpr.Number)
		r, okR := e.R.(*sqlexpr.Number)
		if okL && okR && e.Op == sqlexpr.OpEq {
			return sameNumber(l.Text, r.Text), true
		}
		if okL && okR && e.Op == sqlexpr.OpNe {
			return !sameNumber(l.Text, r.Text), true
		}
	}
	return false, false
}
