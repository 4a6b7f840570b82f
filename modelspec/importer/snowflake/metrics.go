package snowflake

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// metric is a metric of a table, or of the whole view.
type metric struct {
	node        *importer.Node
	construct   string
	table       *table // nil: of the view
	name        string
	expr        string
	aggregation string // default_aggregation of a measure
	refused     string
	private     bool
	draft       *draft.Metric
}

func (m *metric) qualified() string {
	if m.table == nil {
		return m.name
	}
	return m.table.name + "." + m.name
}

func (v *view) addMetric(t *table, n *importer.Node, construct string) {
	o := v.report.Object(n, construct, n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	m := &metric{node: n, construct: construct, table: t, name: o.Text("name"), expr: o.Text("expr"), aggregation: o.Text("default_aggregation"), draft: &draft.Metric{}}
	m.draft.Description, m.draft.Context = v.context(o)
	m.private = strings.HasPrefix(strings.ToLower(o.Text("access_modifier")), "private")
	o.Ignore("data_type") // of the result, which the expression has
	for _, key := range []string{"non_additive_dimensions", "using_relationships", "window"} {
		if o.Get(key) != nil {
			m.refused = key + " has no counterpart"
		}
	}
	if m.name == "" {
		v.report.Dropped(n, construct, "", "it has no name")
		return
	}
	key := strings.ToLower(m.qualified())
	if v.metrics[key] != nil {
		v.report.Dropped(n, construct, m.qualified(), "another metric has the name")
		return
	}
	v.metrics[key] = m
	v.metricList = append(v.metricList, m)
}

// addMetrics names the metrics, and then makes their expressions, which name others.
func (v *view) addMetrics() {
	for _, m := range v.metricList {
		alternative := m.name
		if m.table != nil {
			alternative = m.table.name + "_" + m.name
		}
		m.draft.Name = v.metricNames.Take(m.name, alternative)
	}
	for _, m := range v.metricList {
		if err := v.build(m); err != nil {
			v.report.Dropped(m.node, m.construct, m.qualified(), err.Error())
			continue
		}
		if m.draft.Name == "" {
			continue // a measure that is a fact
		}
		v.model.Metrics = append(v.model.Metrics, m.draft)
		path := importer.MetricPath(m.draft.Name)
		switch {
		case m.draft.Name != m.name:
			v.report.Approximated(m.node, m.construct, m.qualified(), "another metric has the name", path)
		case m.private:
			v.report.Approximated(m.node, m.construct, m.qualified(), "a private metric is offered as any other", path)
		default:
			v.report.Exact(m.node, m.construct, m.qualified(), path)
		}
	}
}

var aggregations = map[string]string{
	"sum": "SUM(", "avg": "AVG(", "average": "AVG(", "min": "MIN(", "max": "MAX(", "count": "COUNT(", "count_distinct": "COUNT(DISTINCT ",
}

// build makes the expression of a metric over fields of datasets and other metrics.
func (v *view) build(m *metric) error {
	if m.refused != "" {
		return errors.New(m.refused)
	}
	e, err := sqlexpr.Parse(m.expr)
	if err != nil {
		return fmt.Errorf("its expression cannot be read: %w", err)
	}
	if !sqlexpr.HasAggregate(e) && m.construct == "measure" {
		begin, known := aggregations[strings.ToLower(m.aggregation)]
		switch {
		case m.aggregation == "":
			return errors.New("a measure without an aggregate has no counterpart")
		case !known:
			return fmt.Errorf("the default aggregation %s has no counterpart", m.aggregation)
		}
		if e, err = sqlexpr.Parse(begin + sqlexpr.Format(e) + ")"); err != nil {
			return err
		}
	}
	out, err := v.qualifyNames(m, e)
	if err != nil {
		return err
	}
	if m.draft.Extension.Dataset == "" && m.table != nil && countsRows(out) {
		m.draft.Extension.Dataset = m.table.dataset.Name
	}
	m.draft.Expression = v.expression(sqlexpr.Format(out))
	return nil
}

// qualifyNames puts fields of datasets in the places of the names inside of aggregates, and
// metrics in the places of the others.
func (v *view) qualifyNames(m *metric, e sqlexpr.Expr) (sqlexpr.Expr, error) {
	var failed error
	refuse := func(format string, args ...any) sqlexpr.Expr {
		if failed == nil {
			failed = fmt.Errorf(format, args...)
		}
		return &sqlexpr.Null{}
	}
	fields := func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		t, name := v.tableOf(m, column)
		if t == nil {
			return refuse("it names %s, and the table is not in the input", sqlexpr.Format(column))
		}
		if v.metrics[strings.ToLower(t.name+"."+name.Text)] != nil && t.fields[strings.ToLower(name.Text)] == nil {
			return refuse("an aggregate of the metric %s has no counterpart", name.Text)
		}
		return path(t.dataset.Name, t.column(name).Name)
	}
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.Over:
			return refuse("a window function has no counterpart")
		case *sqlexpr.Call:
			if sqlexpr.InfoOf(x.Fn).Class == sqlexpr.Aggregate {
				copied := *x
				copied.Args = make([]sqlexpr.Expr, len(x.Args))
				for i, arg := range x.Args {
					copied.Args[i] = sqlexpr.Rewrite(arg, fields)
				}
				return &copied
			}
		case *sqlexpr.Column:
			name := x.Path[len(x.Path)-1]
			var of *metric
			if t, _ := v.tableOf(m, x); t != nil {
				of = v.metrics[strings.ToLower(t.name+"."+name.Text)]
			}
			if of == nil && len(x.Path) == 1 {
				of = v.metrics[strings.ToLower(name.Text)]
			}
			if of == nil {
				return refuse("it names %s outside of an aggregate, which is not a metric", sqlexpr.Format(x))
			}
			return path(of.draft.Name)
		}
		return nil
	})
	return out, failed
}

// tableOf is the table of a name in the expression of a metric: the one that it names, else
// that of the metric.
func (v *view) tableOf(m *metric, column *sqlexpr.Column) (*table, sqlexpr.Name) {
	name := column.Path[len(column.Path)-1]
	if len(column.Path) == 1 {
		return m.table, name
	}
	return v.tables[strings.ToLower(column.Path[len(column.Path)-2].Text)], name
}

// path is a name of several parts, in quotes where a part needs them.
func path(parts ...string) sqlexpr.Expr {
	e, err := sqlexpr.Parse(sqlexpr.FormatPath(parts...))
	if err != nil {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: strings.Join(parts, "."), Quoted: true}}}
	}
	return e
}

// countsRows reports whether an expression has an aggregate that names no column.
func countsRows(e sqlexpr.Expr) bool {
	found := false
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if call, ok := x.(*sqlexpr.Call); ok && sqlexpr.InfoOf(call.Fn).Class == sqlexpr.Aggregate {
			found = found || len(sqlexpr.Columns(call)) == 0
		}
		return !found
	})
	return found
}
