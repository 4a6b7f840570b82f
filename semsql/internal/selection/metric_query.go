package selection

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
)

// metricQuery is the query that computes the groups and measures of a select, without its order and limit.
type metricQuery struct {
	*aggregateSelect
	body  query.MetricQuery
	names []string // of the columns, groups first, as conditions and order keys name them
	width int      // the columns of the planned query
	// scalarConditions are the conjuncts of HAVING that read subqueries.
	scalarConditions []sqlexpr.Expr
	// levels are those of several sets of groups, the first of all groups.
	levels compose.GroupingLevels
}

// newMetricQueryOfAggregateSelect writes the query of a grouping.
func newMetricQueryOfAggregateSelect(g *aggregateSelect, contextFilter string) (*metricQuery, error) {
	q := &metricQuery{aggregateSelect: g}
	q.body.ContextFilter = contextFilter
	q.body.View, q.body.Defaults = g.viewOfQuery()
	q.body.TimeZone, q.body.WeekStart = g.QueryTimeZone(), g.QueryWeekStart()
	for i, group := range g.groups {
		q.addGroup(i, group)
	}
	for i, m := range g.measures {
		if err := q.addMeasure(i, m); err != nil {
			return nil, err
		}
	}
	if g.sets != nil && len(g.measures) > 0 {
		q.levels = compose.NewGroupingLevels(g.sets).WithAllGroups(len(g.groups))
		q.addTotals()
	}
	q.body.Params = g.collectParamBindingsOfMeasures()
	if len(g.measures) == 0 {
		q.body.Distinct = true
		if g.Root != nil {
			q.body.From = g.Root.Name
		}
	}
	if err := q.addConditions(); err != nil {
		return nil, err
	}
	q.body.With = q.Refs.ClockFields()
	return q, nil
}

// addGroup adds an item of group_by. The column keeps the name of the planner where nothing else has it.
func (q *metricQuery) addGroup(i int, g group) {
	item, wanted := query.GroupBy{}, q.outputName(i)
	if g.field == nil {
		item.Expression = sqlexpr.Format(q.ModelExpr(g.expr))
	} else {
		ref := q.Refs.ReferenceOf(g.field)
		item = query.GroupBy{Field: ref.FieldText(), Grain: g.grain.String(), Part: g.part.String()}
		if plain := plannerColumnName(ref, item.Unit()); wanted == "" || wanted == plain {
			if !q.isNameTaken(plain) {
				q.names = append(q.names, plain)
				q.body.GroupBy = append(q.body.GroupBy, item)
				return
			}
		}
	}
	item.Name = q.uniqueQueryName(wanted)
	q.names = append(q.names, item.Name)
	q.body.GroupBy = append(q.body.GroupBy, item)
}

// plannerColumnName returns the name that the planner gives the column of a field, of its buckets or of its part.
func plannerColumnName(ref resolve.Reference, unit string) string {
	name := "metric_time"
	if ref.Kind == resolve.FieldReferenceKind {
		name = ref.Field.Name
		var path []string
		for _, s := range ref.Path {
			path = append(path, s.Rel.Name)
		}
		name = strings.Join(append(path, name), "__")
	}
	if unit != "" {
		name += "__" + unit
	}
	return name
}

// outputName returns the name of the item that shows a column; "" where none does, or where a name of a query cannot
// be it.
func (q *metricQuery) outputName(column int) string {
	for i, e := range q.items {
		ref, ok := e.(*sqlexpr.Ref)
		if ok && ref.ID == column && isAllowedColumnName(q.selectClauses.items[i].Name) {
			return q.selectClauses.items[i].Name
		}
	}
	return ""
}

// maxQueryNameLength bounds the names that a query gives.
const maxQueryNameLength = 128

// isAllowedColumnName reports whether a query may give a column the name.
func isAllowedColumnName(s string) bool {
	if s == "" || len(s) > maxQueryNameLength {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

func (q *metricQuery) isNameTaken(name string) bool {
	return slices.ContainsFunc(q.names, func(n string) bool { return strings.EqualFold(n, name) }) || q.selectsMetric(name)
}

// selectsMetric reports whether the query selects a model's metric of the name.
func (q *metricQuery) selectsMetric(name string) bool {
	return slices.ContainsFunc(q.measures, func(m measure) bool {
		return !m.isAggregate() && m.ref.Metric != nil && strings.EqualFold(m.ref.Metric.Name, name)
	})
}

// uniqueQueryName returns the wanted name, or a new one where that is taken, the name of a metric of the model, or empty.
func (q *metricQuery) uniqueQueryName(wanted string) string {
	name := wanted
	for n := len(q.names) + 1; name == "" || q.isNameTaken(name) || q.Cat.Metric(name) != nil || len(q.Cat.FieldsNamed(name)) > 0 && name != wanted; n++ {
		name = "c" + strconv.Itoa(n)
	}
	return name
}

// addMeasure adds a metric of the model, or an inline metric.
func (q *metricQuery) addMeasure(i int, m measure) error {
	if metric := m.ref.Metric; metric != nil && m.ref.Filter == nil {
		if !slices.Contains(q.body.Metrics, metric.Name) {
			q.body.Metrics = append(q.body.Metrics, metric.Name)
		}
		q.names = append(q.names, metric.Name)
		return nil
	}
	inline, err := q.inlineMetric(m)
	if err != nil {
		return err
	}
	inline.Name = q.uniqueQueryName(q.outputName(len(q.groups) + i))
	inline.Index = len(q.body.Metrics)
	q.body.Metrics = append(q.body.Metrics, inline.Name)
	q.body.InlineMetrics = append(q.body.InlineMetrics, inline)
	q.names = append(q.names, inline.Name)
	return nil
}

// inlineMetric returns an aggregate, a number of rows or a filtered metric as a metric of the query.
func (q *metricQuery) inlineMetric(m measure) (query.InlineMetric, error) {
	switch {
	case m.isAggregate():
		return q.inlineAggregateMetric(m)
	case m.ref.Kind == resolve.RowCountReferenceKind:
		return q.inlineCountMetric(m)
	}
	return q.inlineFilteredMetric(m)
}

// inlineAggregateMetric prints an aggregate over fields.
func (q *metricQuery) inlineAggregateMetric(m measure) (query.InlineMetric, error) {
	out := query.InlineMetric{Expression: sqlexpr.Format(q.ModelExpr(m.expr)), JoinsTexts: joinsTexts(m.expr)}
	if !q.Refs.HasReferenceInExpr(m.expr) {
		home, err := q.countedDataset(m)
		if err != nil {
			return out, err
		}
		out.Dataset = home.Name
	} else if q.Joined {
		out.Dataset = q.Root.Name
		return out, q.checkJoinedAggregate(m)
	}
	return out, nil
}

func joinsTexts(e sqlexpr.Expr) bool {
	return sqlexpr.HasNode(e, func(c *sqlexpr.Call) bool { return c.Fn == sqlexpr.FnListagg })
}

// inlineCountMetric counts rows: COUNT(*), COUNT of the rows of a condition, or SUM(1).
func (q *metricQuery) inlineCountMetric(m measure) (query.InlineMetric, error) {
	home, err := q.countedDataset(m)
	if err != nil {
		return query.InlineMetric{}, err
	}
	one := sqlexpr.Expr(&sqlexpr.Number{Text: "1"})
	call := &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}
	switch {
	case m.ref.Summed:
		call = &sqlexpr.Call{Fn: sqlexpr.FnSum, Name: sqlexpr.Name{Text: "SUM"}, Args: []sqlexpr.Expr{nullUnlessCondition(m.ref.Filter, one)}}
	case m.ref.Filter != nil:
		call = &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Args: []sqlexpr.Expr{nullUnlessCondition(m.ref.Filter, one)}}
	}
	return query.InlineMetric{Expression: sqlexpr.Format(q.ModelExpr(call)), Dataset: home.Name}, nil
}

// nullUnlessCondition returns a value on the rows where a condition is true, and NULL on the others.
func nullUnlessCondition(cond, value sqlexpr.Expr) sqlexpr.Expr {
	if cond == nil {
		return value
	}
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: value}}}
}

// collectParamBindingsOfMeasures lists the values of parameters that the measures bind, each parameter once. A measure that leaves one
// to its default needs that value too, where another measure binds it.
func (g *aggregateSelect) collectParamBindingsOfMeasures() []query.ParamBinding {
	var out []query.ParamBinding
	for _, m := range g.measures {
		for _, b := range m.ref.Bindings {
			out = addParamBinding(out, b)
		}
	}
	for i := range out {
		for _, m := range g.measures {
			if _, given := findParamValue(m.ref.Bindings, out[i].Name); given {
				continue
			}
			if v := g.paramDefault(m, out[i].Name); v.Kind != query.NullValue {
				out = addParamBinding(out, resolve.MetricParamBinding{Name: out[i].Name, Value: v})
			}
		}
	}
	return out
}

func addParamBinding(out []query.ParamBinding, b resolve.MetricParamBinding) []query.ParamBinding {
	i := slices.IndexFunc(out, func(p query.ParamBinding) bool { return p.Name == b.Name })
	if i < 0 {
		return append(out, query.ParamBinding{Name: b.Name, Values: []query.ParamValue{b.Value}})
	}
	if !slices.Contains(out[i].Values, b.Value) {
		out[i].Values = append(out[i].Values, b.Value)
		out[i].List = true
	}
	return out
}
