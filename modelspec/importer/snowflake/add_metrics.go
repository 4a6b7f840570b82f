package snowflake

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// metric is a metric of a table, or of the whole view.
type metric struct {
	node        *importer.Node
	construct   string
	table       *logicalTable // nil: of the view
	name        string
	expr        string
	aggregation string // default_aggregation of a measure
	refused     string
	losses      []string
	private     bool
	snapshots   []nonAdditiveDimension
	draft       *draft.Metric
	// aggregatesOthers is set for a fact, which has one value for each row of its table: it aggregates the rows
	// of the tables that it names.
	aggregatesOthers bool
}

func (m *metric) qualifiedName() string {
	if m.table == nil {
		return m.name
	}
	return m.table.name + "." + m.name
}

func (v *semanticViewImport) readMetric(t *logicalTable, n *importer.Node, construct string) {
	o := v.report.ReadObject(n, construct, n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	m := &metric{node: n, construct: construct, table: t, name: o.GetText("name"), expr: o.GetText("expr"), aggregation: o.GetText("default_aggregation"), draft: &draft.Metric{}}
	m.draft.Description, m.draft.Context = v.readDescriptionAndContext(o)
	m.private = strings.HasPrefix(strings.ToLower(o.GetText("access_modifier")), "private")
	o.IgnoreKeys("data_type") // of the result, which the expression has
	for _, key := range []string{"using_relationships", "window"} {
		if o.Get(key) != nil {
			m.refused = key + " has no counterpart"
		}
	}
	for _, item := range o.GetList("non_additive_dimensions") {
		m.snapshots = append(m.snapshots, readNonAdditiveDimension(o, item))
	}
	if m.name == "" {
		v.report.AddDropped(n, construct, "", "it has no name")
		return
	}
	key := strings.ToLower(m.qualifiedName())
	if v.metrics[key] != nil {
		v.report.AddDropped(n, construct, m.qualifiedName(), "another metric has the same name")
		return
	}
	v.metrics[key] = m
	v.metricList = append(v.metricList, m)
}

// addMetrics names the metrics, and then makes their expressions, which name others.
func (v *semanticViewImport) addMetrics() {
	var names, alternatives []string
	for _, m := range v.metricList {
		alternative := m.name
		if m.table != nil {
			alternative = m.table.name + "_" + m.name
		}
		names, alternatives = append(names, m.name), append(alternatives, alternative)
	}
	for i, name := range v.metricNames.ReserveNames(names, alternatives) {
		v.metricList[i].draft.Name = name
	}
	for _, m := range v.metricList {
		if err := v.buildMetric(m); err != nil {
			v.report.AddDropped(m.node, m.construct, m.qualifiedName(), err.Error())
			continue
		}
		if m.draft.Name == "" {
			continue // a measure that is a fact
		}
		v.model.Metrics = append(v.model.Metrics, m.draft)
		path := importer.MetricPath(m.draft.Name)
		if m.draft.Name != m.name {
			m.losses = append(m.losses, "another metric has the same name")
		}
		if m.private {
			m.losses = append(m.losses, "a private metric is offered as any other")
		}
		switch {
		case len(m.losses) > 0:
			v.report.AddApproximated(m.node, m.construct, m.qualifiedName(), strings.Join(m.losses, "; "), path)
		default:
			v.report.AddExact(m.node, m.construct, m.qualifiedName(), path)
		}
	}
}

var sqlPrefixOfAggregate = map[string]string{
	"sum": "SUM(", "avg": "AVG(", "average": "AVG(", "min": "MIN(", "max": "MAX(", "count": "COUNT(", "count_distinct": "COUNT(DISTINCT ",
	"median": "MEDIAN(", "stddev": "STDDEV(", "variance": "VARIANCE(",
}

// buildMetric makes the expression of a metric over fields of datasets and other metrics.
func (v *semanticViewImport) buildMetric(m *metric) error {
	if m.refused != "" {
		return errors.New(m.refused)
	}
	if w, found, err := parseWindowMetric(m.expr); err != nil {
		return err
	} else if found {
		return v.buildWindowMetric(m, w)
	}
	e, err := parse(m.expr)
	if err != nil {
		return fmt.Errorf("its expression cannot be read: %w", err)
	}
	if !sqlexpr.HasAggregate(e) && m.construct == "measure" {
		begin, known := sqlPrefixOfAggregate[strings.ToLower(m.aggregation)]
		switch {
		case m.aggregation == "":
			return errors.New("a measure without an aggregate has no counterpart")
		case !known:
			return fmt.Errorf("the default aggregation %s has no counterpart", m.aggregation)
		}
		if e, err = parse(begin + sqlexpr.Format(e) + ")"); err != nil {
			return err
		}
	}
	out, err := v.replaceNamesByFieldsAndMetrics(m, e)
	if err != nil {
		return err
	}
	if m.draft.Extension.Dataset == "" && m.table != nil && hasAggregateWithoutColumn(out) {
		m.draft.Extension.Dataset = m.table.dataset.Name
	}
	if err := v.addNonAdditiveBlock(m, out); err != nil {
		return err
	}
	m.draft.Expression = draft.ANSIExpression(sqlexpr.Format(out))
	return nil
}

// replaceNamesByFieldsAndMetrics puts fields of datasets in the places of the names inside of aggregates, and
// metrics in the places of the others.
func (v *semanticViewImport) replaceNamesByFieldsAndMetrics(m *metric, e sqlexpr.Expr) (sqlexpr.Expr, error) {
	var failed error
	refuse := func(format string, args ...any) sqlexpr.Expr {
		if failed == nil {
			failed = fmt.Errorf(format, args...)
		}
		return &sqlexpr.Null{}
	}
	ownRows := false // whether the aggregate names its own table, whose rows it then aggregates
	fields := func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		t, name := v.tableOfColumn(m, column)
		if t == nil {
			return refuse("it names %s, and the table is not in the input", sqlexpr.Format(column))
		}
		if t.dropped[strings.ToLower(name.Text)] {
			return refuse("it names %s, which is dropped", name.Text)
		}
		of := v.metrics[strings.ToLower(t.name+"."+name.Text)]
		switch {
		case of == nil || of == m || t.fields[strings.ToLower(name.Text)] != nil: // a column may have the name of its metric
		case of.isRowLevelMeasure():
			t.addMeasureField(of)
		default:
			return refuse("an aggregate of the metric %s has no counterpart", name.Text)
		}
		path, err := []string{t.dataset.Name}, error(nil)
		if !ownRows {
			path, err = v.pathToTable(m, t)
		}
		if err != nil {
			return refuse("it names %s, and %w", sqlexpr.Format(column), err)
		}
		return quotedPathExpr(append(path, t.ensureColumnField(name).Name)...)
	}
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.WindowCall:
			return refuse("a window function has no counterpart")
		case *sqlexpr.Call:
			if sqlexpr.InfoOfFunction(x.Fn).Class == sqlexpr.ClassAggregate {
				ownRows = v.readsColumnOfMetricTable(m, x)
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
			if t, _ := v.tableOfColumn(m, x); t != nil {
				of = v.metrics[strings.ToLower(t.name+"."+name.Text)]
			}
			if of == nil && len(x.Path) == 1 {
				of = v.metrics[strings.ToLower(name.Text)]
			}
			if of == nil {
				return refuse("it names %s outside of an aggregate, which is not a metric", sqlexpr.Format(x))
			}
			return quotedPathExpr(of.draft.Name)
		}
		return nil
	})
	return out, failed
}

// readsColumnOfMetricTable reports whether an aggregate names a column of the metric's own table.
func (v *semanticViewImport) readsColumnOfMetricTable(m *metric, x sqlexpr.Expr) bool {
	return slices.ContainsFunc(sqlexpr.ColumnReferences(x), func(column *sqlexpr.Column) bool {
		t, _ := v.tableOfColumn(m, column)
		return t != nil && t == m.table
	})
}

// pathToTable returns the names before a field of a table in a metric. A metric aggregates the rows of its table,
// so a field of another one, of which each row has one row, is behind the relationships that lead there.
func (v *semanticViewImport) pathToTable(m *metric, t *logicalTable) ([]string, error) {
	if m.table != nil && m.table != t && !m.aggregatesOthers {
		path, err := importer.RelationshipPathTo(v.model, m.table.dataset.Name, t.dataset.Name)
		if path != nil || err != nil {
			return path, err
		}
	}
	return []string{t.dataset.Name}, nil
}

// isRowLevelMeasure reports whether the expression of a measure is a value of each row, which its
// default_aggregation aggregates.
func (m *metric) isRowLevelMeasure() bool {
	e, err := parse(m.expr)
	return m.construct == "measure" && err == nil && !sqlexpr.HasAggregate(e)
}

// addMeasureField adds the field of what a measure aggregates, under its name.
func (t *logicalTable) addMeasureField(m *metric) {
	t.addField(&draft.Field{Name: m.name, IsDimension: new(false), Expression: draft.ANSIExpression(removeTableQualifierFromExpression(m.expr, t.name))})
}

// tableOfColumn returns the table of a name in the expression of a metric: the one that it names, else
// that of the metric.
func (v *semanticViewImport) tableOfColumn(m *metric, column *sqlexpr.Column) (*logicalTable, sqlexpr.Name) {
	name := column.Path[len(column.Path)-1]
	if len(column.Path) == 1 {
		return m.table, name
	}
	return v.tables[strings.ToLower(column.Path[len(column.Path)-2].Text)], name
}

// quotedPathExpr returns a name of several parts, in quotes where a part needs them.
func quotedPathExpr(parts ...string) sqlexpr.Expr {
	e, err := parse(sqlexpr.FormatPath(parts...))
	if err != nil {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: strings.Join(parts, "."), Quoted: true}}}
	}
	return e
}

// hasAggregateWithoutColumn reports whether an expression has an aggregate that names no column.
func hasAggregateWithoutColumn(e sqlexpr.Expr) bool {
	return sqlexpr.HasNode(e, func(c *sqlexpr.Call) bool {
		return sqlexpr.InfoOfFunction(c.Fn).Class == sqlexpr.ClassAggregate && len(sqlexpr.ColumnReferences(c)) == 0
	})
}
