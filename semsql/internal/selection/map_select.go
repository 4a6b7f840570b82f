package selection

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
)

// PlanningContext is what a select is planned with.
type PlanningContext struct {
	Planner       *planner.Planner
	Target        planner.Target
	Composer      *compose.Composer
	ContextFilter string
	// Rollups and MaxAge are those of every query.
	Rollups *query.Rollups
	MaxAge  *int64
	// Parts collects the planned queries of the statement.
	Parts *[]*planner.Planned
	// shared are the rows of common tables, each mapped once.
	shared map[*parse.CommonTable]*compose.Rows
	// repeated are the common tables that the statement reads at several places, so that it prints each once.
	repeated map[*parse.CommonTable]bool
}

// MappedSelect is a mapped select.
type MappedSelect struct {
	// Metric or Detail is the query that gives the same rows by position; both are nil where none does.
	Metric *query.MetricQuery
	Detail *query.DetailQuery
	// IsDetail: the select lists rows of a dataset.
	IsDetail bool
	Rows     *compose.Rows
	// Origins are the columns of relations that the columns show.
	Origins []resolve.ColumnOrigin
}

// LowerRowLimitTo limits the rows to a number besides the limit of the select; nil keeps all.
func (s *MappedSelect) LowerRowLimitTo(most *int64) {
	if most == nil {
		return
	}
	if limit := s.Rows.Plan().Limit; limit == nil || *limit > *most {
		s.Rows = s.Rows.LimitedRows(most, 0)
	}
}

// mapSelect maps a select with the order and limit of its query.
func mapSelect(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, syntax *parse.Select, in PlanningContext) (*MappedSelect, error) {
	scalars := &scalarSubqueries{ctx: ctx, statement: s, tables: tables, in: in}
	c, err := readSelectClauses(s, tables, q, syntax, scalars)
	if err != nil {
		return nil, addSplitStatementRetry(s, tables, q, syntax, err)
	}
	out, err := mapSelectClauses(ctx, c, in)
	if err == nil && c.view == nil {
		out.Origins = c.OriginsOfItems(c.items)
	}
	return out, err
}

func mapSelectClauses(ctx context.Context, c *selectClauses, in PlanningContext) (*MappedSelect, error) {
	if c.withoutRows {
		return mapSelectWithoutRows(ctx, c, in)
	}
	if !c.isAggregateSelect() {
		return mapRowSelect(ctx, c, in)
	}
	g, err := newAggregateSelect(c)
	if err != nil {
		return nil, err
	}
	m, err := newMetricQueryOfAggregateSelect(g, in.ContextFilter)
	if err != nil {
		return nil, err
	}
	return m.planQueryAndColumns(ctx, in)
}

// planQueryAndColumns plans the query, and the columns of the select over its result.
func (q *metricQuery) planQueryAndColumns(ctx context.Context, in PlanningContext) (*MappedSelect, error) {
	members, err := q.mapWhereSubqueries(ctx, in)
	if err != nil {
		return nil, err
	}
	body := q.body
	body.Rollups, body.MaxAge = in.Rollups, in.MaxAge
	planned, err := in.Planner.PlanMetricSelect(ctx, &planner.MetricSelect{Query: &body, Members: members}, in.Target)
	if err != nil {
		return nil, q.locatePlanError(err)
	}
	*in.Parts = append(*in.Parts, planned)
	types := in.Planner.ResultTypes(planned)
	for i, g := range q.groups {
		if g.field == nil || q.Refs.ReferenceOf(g.field).Kind != resolve.MetricTimeReferenceKind {
			types[i] = q.groupType(g)
		}
	}
	out := &MappedSelect{Metric: q.queryEquivalentToSelect()}
	if len(members)+len(q.Refs.ClockFields()) > 0 {
		out.Metric = nil
	}
	rows := in.Composer.RowsOfQuery(planned, types)
	if len(q.levels.Sets) > 0 {
		if err := q.checkNoWindowCondition(planned.Root); err != nil {
			return nil, err
		}
		rows = in.Composer.RowsOfLevels(rows, len(planned.Columns)-1, q.levels)
	}
	result := &compose.Select{From: rows, Distinct: q.appliesDistinctToResultRows(), Limit: q.limit, Offset: q.offset}
	at := q.columnPositions(planned)
	q.width = len(planned.Columns)
	result.Scalars = q.scalars.rows
	for i, e := range q.items {
		result.Items = append(result.Items, compose.SelectItem{Name: q.selectClauses.items[i].Name, Expr: q.rewriteOverQueryColumns(e, at)})
	}
	result.Where = q.conjunctionOverQueryColumns(q.scalarConditions, at)
	if result.WhereIn, err = q.mapHavingSubqueries(ctx, in, at); err != nil {
		return nil, err
	}
	if result.Where != nil || len(result.WhereIn) > 0 {
		out.Metric = nil
	}
	result.OrderBy = q.orderOverRows(func(key int) sqlexpr.Expr { return q.rewriteOverQueryColumns(q.order[key], at) })
	if !result.Distinct && (len(q.order) > 0 || q.limit != nil || q.offset > 0) {
		for i := range q.groups {
			result.OrderBy = append(result.OrderBy, compose.OrderKey{Expr: &sqlexpr.Ref{ID: i}})
		}
	}
	if q.sets != nil && len(q.measures) == 0 {
		q.groupRowsBySets(result)
	}
	if out.Rows, err = in.Composer.Select(result); err != nil {
		return nil, locateComposeError(err, q.syntax.Pos())
	}
	return out, nil
}

// appliesDistinctToResultRows reports whether DISTINCT works on result rows: beside groups or measures.
func (q *metricQuery) appliesDistinctToResultRows() bool {
	return q.syntax.Distinct && (len(q.syntax.GroupBy) > 0 || len(q.measures) > 0)
}

// columnPositions finds the column of the planned query that each column of the grouping is: a parameter with several
// values makes several columns of a metric.
func (q *metricQuery) columnPositions(planned *planner.Planned) []int {
	out := make([]int, 0, len(q.groups)+len(q.measures))
	for i := range q.groups {
		out = append(out, i)
	}
	for i, m := range q.measures {
		name := q.names[len(q.groups)+i]
		at := slices.IndexFunc(planned.Columns, func(c planner.OutputColumn) bool { return c.Metric == name && q.columnHasParamsOfMeasure(c, m) })
		out = append(out, at)
	}
	return out
}

// columnHasParamsOfMeasure reports whether a column was computed with the parameters of a measure.
func (q *metricQuery) columnHasParamsOfMeasure(c planner.OutputColumn, m measure) bool {
	for _, bound := range c.Params {
		want, given := findParamValue(m.ref.Bindings, bound.Name)
		if !given {
			want = q.paramDefault(m, bound.Name)
		}
		if !matchesParamValue(bound.Value, want) {
			return false
		}
	}
	return true
}

// rewriteOverQueryColumns writes an expression over the columns of the grouping over those of the query, after which are the values of
// subqueries.
func (q *metricQuery) rewriteOverQueryColumns(e sqlexpr.Expr, at []int) sqlexpr.Expr {
	return resolve.ExpandZoneCalls(sqlexpr.RewriteRefs(e, func(ref *sqlexpr.Ref) sqlexpr.Expr {
		switch {
		case ref.ID >= firstGroupingRef && q.sets != nil && len(q.measures) == 0:
			return &sqlexpr.Ref{Position: ref.Position, ID: q.width + len(q.scalars.rows) + ref.ID - firstGroupingRef}
		case ref.ID >= firstGroupingRef:
			return q.groupingMask(ref.ID - firstGroupingRef)
		case ref.ID >= firstScalarSubqueryRef:
			return &sqlexpr.Ref{Position: ref.Position, ID: q.width + ref.ID - firstScalarSubqueryRef}
		}
		return &sqlexpr.Ref{Position: ref.Position, ID: at[ref.ID]}
	}))
}
