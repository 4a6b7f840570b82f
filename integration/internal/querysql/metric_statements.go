package querysql

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// MetricStatements returns the statements of a query for metrics or distinct groups, whose columns are those of its plan by
// position; none where SQL cannot say it.
func (m Model) MetricStatements(q *query.MetricQuery, columns []planner.OutputColumn) []Statement {
	if !m.isExpressibleInSQL(q) {
		return nil
	}
	wide := wideRelationNames{m}
	from := quoteName(m.Relations.Wide.Name)
	all := "(SELECT * FROM public." + from + `) AS "t"`
	out := []Statement{
		m.writeMetricSelect("wide", q, columns, wide, false, func() string { return from }),
		m.writeMetricSelect("derived", q, columns, wide, false, func() string { return all }),
		m.writeMetricSelect("parameters", q, columns, wide, true, func() string { return from }),
		m.selectFromRenamingSubquery(q, columns),
		m.selectFromCommonTable(q, columns),
		m.selectFromSemanticView(q, columns),
	}
	if q.From != "" {
		out = nil // the wide relation finds the root by itself
	}
	out = append(out, m.selectsFromDatasets(q, columns)...)
	return slices.DeleteFunc(out, func(s Statement) bool { return s.SQL == "" })
}

// isExpressibleInSQL reports whether the query has no key without a spelling. Statements have the clock UTC and weeks from Monday, and no view around them.
func (m Model) isExpressibleInSQL(q *query.MetricQuery) bool {
	plain := len(q.TimeRanges)+len(q.Shares)+len(q.With)+len(q.Removed) == 0 && q.Compare == nil && q.Top == nil && q.Fill == nil &&
		q.FanOut == "" && q.Saved == "" && q.View == "" && len(q.Sequences) == 0 && q.AsOf == "" && !slices.ContainsFunc(q.InlineMetrics, func(m query.InlineMetric) bool { return m.At != nil })
	return plain && m.isDefaultClock(q.TimeZone, q.WeekStart) && m.bindsOnlyMetricParams(q.Params, q.Metrics)
}

// isDefaultClock reports whether a query has the clock of statements.
func (m Model) isDefaultClock(zone, weekStart string) bool {
	if zone == "" {
		zone = m.Catalog.TimeZone
	}
	day := m.Catalog.WeekStart
	if weekStart != "" {
		day, _ = sqlexpr.ParseWeekday(weekStart)
	}
	return (zone == "" || zone == "UTC") && day <= sqlexpr.Monday
}

// metricSelectBuilder is the text of a select that is common to all forms.
type metricSelectBuilder struct {
	*statementPartWriter
	q       *query.MetricQuery
	columns []planner.OutputColumn
	groups  []string
	items   []string // of metrics
	where   []string
	having  []string
}

// writeMetricSelect writes a query over a relation; from is asked last, when all names are known.
func (m Model) writeMetricSelect(form string, q *query.MetricQuery, columns []planner.OutputColumn, names sqlNames, bind bool, from func() string) Statement {
	t := m.newMetricSelectBuilder(q, columns, names, bind)
	sql := "SELECT " + t.selectList() + " FROM " + from() + t.whereGroupHavingClauses() + t.orderByAndLimit()
	return t.toStatement(form, sql)
}

func (m Model) newMetricSelectBuilder(q *query.MetricQuery, columns []planner.OutputColumn, names sqlNames, bind bool) *metricSelectBuilder {
	t := &metricSelectBuilder{statementPartWriter: &statementPartWriter{Model: m, names: names, bind: bind}, q: q, columns: columns}
	for _, g := range q.GroupBy {
		t.groups = append(t.groups, t.groupExpressionSQL(g))
	}
	for i, name := range q.Metrics {
		t.items = append(t.items, t.metricSQL(i, name))
	}
	if t.hasTotals() {
		t.items = append(t.items, t.levelSQL())
		t.failed = t.failed || q.Limit != nil || q.Offset > 0 || t.repeatsAGroup()
	}
	t.failed = t.failed || len(columns) != len(t.groups)+len(t.items)
	if r := q.TimeRange; r != nil {
		dimension := r.Dimension
		if dimension == "" && m.metricsHaveTimeAxis(q.Metrics) {
			dimension = metricTime
		}
		t.where = t.timeRangeConditions(r, dimension)
	}
	if !t.failed {
		t.splitWhereAndHaving()
		t.failed = t.failed || t.hasTotals() && (len(t.having) > 0 || len(t.where) > 0 && t.readsWindows())
	}
	return t
}

func (t *metricSelectBuilder) toStatement(form, sql string) Statement {
	if t.failed {
		return Statement{}
	}
	return Statement{Form: form, SQL: sql, Params: t.params}
}

func (t *metricSelectBuilder) groupExpressionSQL(g query.GroupBy) string {
	if g.Expression != "" {
		e := t.parseExpression(g.Expression)
		t.failed = t.failed || t.extractsFromCoarserTimes(e)
		return t.expressionSQL(e, func([]string) string { return "" })
	}
	t.failed = t.failed || g.Part != "" // SQL counts the parts of a time in other numbers
	return t.bucketSQL(t.fieldSQL(g.Field), g.Grain)
}

// extractsFromCoarserTimes reports whether an expression extracts a part of a field that stores longer periods. A group of SQL takes it
// for the part of the field, which such a field does not have.
func (t *metricSelectBuilder) extractsFromCoarserTimes(e sqlexpr.Expr) bool {
	found := false
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if extract, ok := x.(*sqlexpr.Extract); ok {
			r, ok := t.parseRef(sqlexpr.Format(extract.X))
			found = found || ok && r.field != nil && r.field.StoredGrain() > sqlexpr.GrainDay
		}
		return true
	})
	return found
}

// metricSQL returns a metric of the model or of the query.
func (t *metricSelectBuilder) metricSQL(i int, name string) string {
	at := slices.IndexFunc(t.q.InlineMetrics, func(m query.InlineMetric) bool { return m.Index == i })
	if at < 0 {
		return t.measureCallSQL(name, t.q.Params)
	}
	m := t.q.InlineMetrics[at]
	text := t.expressionSQL(t.parseExpression(m.Expression), func(path []string) string {
		if len(path) == 1 && t.Catalog.Metric(path[0]) != nil {
			return t.measureCallSQL(path[0], t.q.Params)
		}
		return ""
	})
	if m.Dataset != "" {
		argument, ok := t.names.countArgument(t.Catalog.Dataset(m.Dataset))
		t.failed = t.failed || !ok || !strings.Contains(text, "COUNT(*)")
		text = strings.ReplaceAll(text, "COUNT(*)", "COUNT("+argument+")")
	}
	t.failed = t.failed || m.TimeDimension != "" || t.readsMetricTime() && !t.datasetsHaveTimeAxis(t.parseExpression(m.Expression))
	return text
}

// readsMetricTime reports whether a group or the range is of the axis of each metric.
func (t *metricSelectBuilder) readsMetricTime() bool {
	return slices.ContainsFunc(t.q.GroupBy, func(g query.GroupBy) bool { return g.Field == metricTime }) || t.q.TimeRange != nil
}

// datasetsHaveTimeAxis reports whether the dataset of every field has a time axis: each aggregate of a statement is a separate metric.
func (t *metricSelectBuilder) datasetsHaveTimeAxis(e sqlexpr.Expr) bool {
	all := true
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if c, ok := x.(*sqlexpr.Column); ok && len(c.Path) > 1 {
			d := t.Catalog.Dataset(c.Path[0].Text)
			all = all && d != nil && d.PrimaryTime != nil
		}
		return true
	})
	return all
}

// splitWhereAndHaving splits where_sql into WHERE and HAVING. A name of a column of the result is its group or metric.
func (t *metricSelectBuilder) splitWhereAndHaving() {
	if t.q.WhereSQL == "" {
		return
	}
	rangeMatters := t.readsWindows() || t.choosesSnapshots() || t.q.TimeRange != nil
	for _, conjunct := range sqlexpr.SplitConjuncts(t.parseExpression(t.q.WhereSQL)) {
		ofResult := false
		text := t.expressionSQL(conjunct, func(path []string) string {
			column := t.expressionOfResultColumn(path)
			ofResult = ofResult || column != ""
			return column
		})
		switch {
		case ofResult:
			t.having = append(t.having, "("+text+")")
		case isConstantRangeCondition(conjunct) && rangeMatters:
			t.where = append(t.where, "("+text+") IS TRUE") // which is not a range
		default:
			t.where = append(t.where, "("+text+")")
		}
	}
}

// readsWindows reports whether a metric of the query has a window.
func (t *metricSelectBuilder) readsWindows() bool {
	return slices.ContainsFunc(t.q.Metrics, func(name string) bool {
		m := t.Catalog.Metric(name)
		return m != nil && len(m.WindowedMetrics(t.Dialect)) > 0
	})
}

// choosesSnapshots reports whether a metric of the query chooses rows of a time, which a range moves and a condition does not.
func (t *metricSelectBuilder) choosesSnapshots() bool {
	return slices.ContainsFunc(t.q.Metrics, func(name string) bool {
		m := t.Catalog.Metric(name)
		return m != nil && slices.ContainsFunc(m.LeafMeasures(), (*catalog.Measure).IsSemiAdditive)
	})
}

// expressionOfResultColumn returns what a bare name of a column of the result means; "" for a field.
func (t *metricSelectBuilder) expressionOfResultColumn(path []string) string {
	if len(path) != 1 {
		return ""
	}
	at := slices.IndexFunc(t.columns, func(c planner.OutputColumn) bool { return strings.EqualFold(c.Name, path[0]) })
	if at >= 0 && (at >= len(t.groups) || len(t.Catalog.FieldsNamed(path[0])) == 0 || t.q.GroupBy[at].Name != "") {
		return "(" + slices.Concat(t.groups, t.items)[at] + ")"
	}
	return ""
}

func (t *metricSelectBuilder) selectList() string {
	return strings.Join(slices.Concat(t.groups, t.items), ", ")
}

// whereGroupHavingClauses are WHERE, GROUP BY and HAVING.
func (t *metricSelectBuilder) whereGroupHavingClauses() string {
	var b strings.Builder
	if len(t.where) > 0 {
		b.WriteString(" WHERE " + strings.Join(t.where, " AND "))
	}
	if t.hasTotals() {
		b.WriteString(" GROUP BY " + t.groupByWithTotals())
	}
	for i := range t.groups {
		if t.hasTotals() {
			break
		}
		b.WriteString([]string{", ", " GROUP BY "}[min(1, max(0, 1-i))] + itoa(i+1))
	}
	if len(t.having) > 0 {
		b.WriteString(" HAVING " + strings.Join(t.having, " AND "))
	}
	return b.String()
}

func (t *metricSelectBuilder) orderByAndLimit() string {
	var order []int
	var desc []bool
	for _, o := range t.q.OrderBy {
		at := slices.IndexFunc(t.columns, func(c planner.OutputColumn) bool { return strings.EqualFold(c.Name, o.Key) })
		t.failed = t.failed || at < 0
		order, desc = append(order, at), append(desc, o.Desc)
	}
	return t.orderAndLimitSQL(order, desc, t.q.Limit, t.q.Offset)
}

// selectFromRenamingSubquery reads the columns through a derived table that renames them.
func (m Model) selectFromRenamingSubquery(q *query.MetricQuery, columns []planner.OutputColumn) Statement {
	names := derivedTableColumnNames{inner: wideRelationNames{m}, items: new([]string)}
	return m.writeMetricSelect("renamed", q, columns, names, false, func() string {
		return "(SELECT " + names.selectList() + " FROM " + quoteName(m.Relations.Wide.Name) + `) "_"`
	})
}

// selectFromCommonTable orders and limits the rows of a common table. A query orders ties by its groups.
func (m Model) selectFromCommonTable(q *query.MetricQuery, columns []planner.OutputColumn) Statement {
	t := m.newMetricSelectBuilder(q, columns, wideRelationNames{m}, false)
	items := slices.Concat(t.groups, t.items)
	for i := range items {
		items[i] += " AS g" + itoa(i)
	}
	sql := "WITH q AS (SELECT " + strings.Join(items, ", ") + " FROM " + quoteName(m.Relations.Wide.Name) + t.whereGroupHavingClauses() + ") SELECT * FROM q" + t.orderByAndLimit()
	if len(q.OrderBy) > 0 && q.Limit == nil && q.Offset == 0 {
		for i := range t.groups {
			sql += ", " + itoa(i+1)
		}
	}
	return t.toStatement("outer", sql)
}

// selectFromSemanticView writes a query over SEMANTIC_VIEW, whose result conditions are outside.
func (m Model) selectFromSemanticView(q *query.MetricQuery, columns []planner.OutputColumn) Statement {
	t := m.newMetricSelectBuilder(q, columns, semanticViewNames{wideRelationNames{m}}, false)
	var where string
	if len(t.where) > 0 {
		where = " WHERE " + strings.Join(t.where, " AND ")
	}
	if len(t.having) > 0 || t.hasTotals() {
		return Statement{} // a condition outside has the names of outputs, and the view has one set of groups
	}
	sql := "SELECT * FROM SEMANTIC_VIEW(" + quoteName(m.Relations.Wide.Name) + clauseInsideSemanticView(" DIMENSIONS ", "g", t.groups) + clauseInsideSemanticView(" METRICS ", "m", t.items) + where + ")" + t.orderByAndLimit()
	return t.toStatement("view", sql)
}

// clauseInsideSemanticView returns a clause of SEMANTIC_VIEW whose items have names; "" without items.
func clauseInsideSemanticView(clause, prefix string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	named := make([]string, len(items))
	for i, item := range items {
		named[i] = item + " AS " + prefix + itoa(i)
	}
	return clause + strings.Join(named, ", ")
}

// selectsFromDatasets returns the statements over the relations of datasets: over the one that has every name, and over the
// joins of one that reaches them.
func (m Model) selectsFromDatasets(q *query.MetricQuery, columns []planner.OutputColumn) []Statement {
	var out []Statement
	for _, d := range m.Catalog.Datasets {
		if q.Distinct && q.From != d.Name {
			continue
		}
		names := datasetColumnNames{m: m, dataset: d, axis: m.commonTimeAxis(q)}
		alone := m.writeMetricSelect("dataset", q, columns, names, false, func() string { return quoteName(d.Name) })
		if alone.SQL != "" {
			out = append(out, alone)
			continue
		}
		if len(q.InlineMetrics) > 0 || q.ContextFilter != "" {
			continue // the home of aggregates is the root of joins, and a condition may be of another dataset
		}
		joined := joinedNames{names, newJoinBuilder(d)}
		out = append(out, m.writeMetricSelect("joins", q, columns, joined, false, joined.joins.text.String))
	}
	return out
}

// metricsHaveTimeAxis reports whether every metric of the model has a time axis: a range over the others is over what is grouped.
func (m Model) metricsHaveTimeAxis(metrics []string) bool {
	for _, name := range metrics {
		metric := m.Catalog.Metric(name)
		if metric != nil && (metric.TimeAxisField() == nil || slices.ContainsFunc(metric.Datasets, func(d *catalog.Dataset) bool { return d.PrimaryTime == nil })) {
			return false
		}
	}
	return len(metrics) > 0
}

// commonTimeAxis returns the time axis of all metrics; nil where they differ.
func (m Model) commonTimeAxis(q *query.MetricQuery) *catalog.Field {
	var axis *catalog.Field
	for i, name := range q.Metrics {
		metric := m.Catalog.Metric(name)
		if metric == nil || metric.TimeAxisField() == nil || !hasOnlyAggregates(metric) || i > 0 && metric.TimeAxisField() != axis {
			return nil
		}
		axis = metric.TimeAxisField()
	}
	return axis
}

// hasOnlyAggregates reports whether a metric is of aggregates alone: metrics inside of others have their own axes.
func hasOnlyAggregates(m *catalog.Metric) bool {
	if m.Derive != nil || m.Forms.Default == nil || len(m.Datasets) != 1 {
		return false
	}
	for _, operand := range m.Forms.Default.Operands {
		if _, ok := operand.(*catalog.Measure); !ok {
			return false
		}
	}
	return true
}
