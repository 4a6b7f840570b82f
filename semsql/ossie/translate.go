package ossie

import (
	"encoding/json"
	"errors"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Translation is a query of the profile as a query of the planner. One of Metric and Detail is set.
type Translation struct {
	Metric *query.MetricQuery
	Detail *query.DetailQuery
	// Headers are the names of the result columns that an alias gives and the query cannot; "" for others.
	Headers []string

	query *Query
}

// MayLackRows reports whether a result of some rows may lack rows that the query requests: the planner bounds the rows of
// a dataset.
func (t *Translation) MayLackRows(rows int) bool {
	return t.Detail != nil && rows >= limits.DetailRows && (t.query.Limit == nil || *t.query.Limit > limits.DetailRows)
}

// translator translates one query.
type translator struct {
	cat        *catalog.Catalog
	query      *Query
	dimensions []projectionItem
	measures   []projectionItem
	fields     []projectionItem
	conditions []sqlexpr.Expr // of a query of fields
}

// Translate translates a query over a model. The error is an *Error.
func Translate(cat *catalog.Catalog, q *Query) (*Translation, error) {
	if err := checkQueryShape(q); err != nil {
		return nil, err
	}
	t := &translator{cat: cat, query: q}
	if q.isScalar() {
		return t.translateRowLevelQuery()
	}
	return t.translateAggregation()
}

func (t *translator) translateAggregation() (*Translation, error) {
	var err error
	if t.dimensions, err = parseProjectionItems("dimensions", t.query.Dimensions); err != nil {
		return nil, err
	}
	if t.measures, err = parseProjectionItems("measures", t.query.Measures); err != nil {
		return nil, err
	}
	out := &query.MetricQuery{Distinct: len(t.measures) == 0, Limit: t.query.Limit}
	out.TimeZone, out.WeekStart = t.timeZoneAndWeekStart()
	for i := range t.dimensions {
		out.GroupBy = append(out.GroupBy, t.groupBy(i))
	}
	for i := range t.measures {
		t.addMetric(out, i)
	}
	rows, err := t.rowConditions()
	if err != nil {
		return nil, err
	}
	results, err := t.resultConditions()
	if err != nil {
		return nil, err
	}
	out.WhereSQL = printConditions(append(rows, results...))
	if out.OrderBy, err = t.orderBy(); err != nil {
		return nil, err
	}
	checked, err := decodeWithHTTPLimits(out, query.DecodeMetric)
	return &Translation{Metric: checked, query: t.query}, err
}

// timeZoneAndWeekStart returns the zone and the first day of a week of DATE_TRUNC: functions are on the clock of UTC, and their weeks begin
// on Monday. Both are "" where the model has no other.
func (t *translator) timeZoneAndWeekStart() (timeZone, weekStart string) {
	if t.cat.TimeZone != "" {
		timeZone = "UTC"
	}
	if t.cat.WeekStart != sqlexpr.WeekdayNone {
		weekStart = sqlexpr.Monday.String()
	}
	return timeZone, weekStart
}

// groupBy returns a dimension as an item of group_by.
func (t *translator) groupBy(i int) query.GroupBy {
	p := &t.dimensions[i]
	g := query.GroupBy{Name: p.alias}
	if field, grain, ok := fieldOfDateTrunc(p.expr); ok {
		g.Field, g.Grain = sqlexpr.Format(field), grain
		p.column = resultColumnOfField(t.cat, field) + "__" + grain
	} else if c, ok := p.expr.(*sqlexpr.Column); ok {
		g.Field = sqlexpr.Format(c)
		p.column = resultColumnOfField(t.cat, c)
	} else {
		p.column = unusedName(t.cat, "dimension", i+1, t.dimensions, t.measures)
		g.Name, g.Expression = p.column, sqlexpr.Format(p.expr)
	}
	if p.alias != "" {
		p.column, g.Name = p.alias, p.alias
	}
	return g
}

// addMetric adds a measure to the metrics: by its name, or as an inline metric.
func (t *translator) addMetric(q *query.MetricQuery, i int) {
	p := &t.measures[i]
	c, isName := p.expr.(*sqlexpr.Column)
	switch {
	case isName && (p.alias == "" || p.alias == sqlexpr.Format(c)):
		p.column = sqlexpr.Format(c)
		if m := t.cat.Metric(c.Path[0].Text); m != nil && len(c.Path) == 1 {
			p.column = m.Name
		}
		q.Metrics = append(q.Metrics, p.column)
		return
	case p.alias != "":
		p.column = p.alias
	default:
		p.column = unusedName(t.cat, "measure", i+1, t.dimensions, t.measures)
	}
	q.Metrics = append(q.Metrics, p.column)
	q.InlineMetrics = append(q.InlineMetrics, query.InlineMetric{Name: p.column, Expression: sqlexpr.Format(p.expr), Index: i})
}

// decodeWithHTTPLimits returns a query after the decoder of the HTTP interface, whose limits hold here too.
func decodeWithHTTPLimits[Q any](q *Q, decode func([]byte) (*Q, error)) (*Q, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, &Error{Code: CodeBackendError, OwnCode: planerr.CodeInternal, Message: "the query could not be written"}
	}
	out, err := decode(body)
	if err != nil {
		refused := newInvalidArgumentError(err.Error())
		var own *planerr.Error
		if errors.As(err, &own) {
			refused.OwnCode, refused.Message, refused.Candidates = own.Code, own.Message, own.Candidates
		}
		return nil, refused
	}
	return out, nil
}
