package lookml

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// measure is one measure of a view.
type measure struct {
	block  *block
	view   *view
	name   string
	kind   string
	became string // the name of its metric; "" until it is named
	loss   string
	failed bool
}

// addMetrics names the measures of all views, and makes their metrics: those that are
// arithmetic over measures after the others.
func (p *project) addMetrics() {
	measures := map[string]*measure{}
	var list []*measure
	for _, v := range p.viewList {
		for _, m := range v.measures {
			if measures[v.name+"."+m.name] != nil || m.name == "" {
				p.recordDroppedConstruct(m.block.node, "measure", v.name+"."+m.name, "another measure of the view has the name")
				continue
			}
			measures[v.name+"."+m.name] = m
			m.became = p.metricNames.ReserveName(m.name, v.name+"_"+m.name)
			if m.became != m.name {
				m.loss = "another measure has the name"
			}
			list = append(list, m)
		}
	}
	for _, arithmetic := range []bool{false, true} {
		for _, m := range list {
			if (m.kind == "number") == arithmetic {
				p.addMetric(m, measures)
			}
		}
	}
}

func (p *project) addMetric(m *measure, measures map[string]*measure) {
	name := m.view.name + "." + m.name
	out := &draft.Metric{Name: m.became}
	label, description, context := readDescription(m.block)
	out.Description, out.Context = description, context
	if label != "" && !strings.EqualFold(label, m.name) {
		out.Context.Synonyms = []string{label}
	}
	err := m.buildMetric(out, measures)
	p.reportUnreadKeys(m.block, name, withDescriptiveKeys("type", "sql", "percentile", "filters", "filters__all", "hidden", "approximate", "alias")...)
	if err != nil {
		m.failed = true
		p.recordDroppedConstruct(m.block.node, "measure", name, err.Error())
		return
	}
	p.model.Metrics = append(p.model.Metrics, out)
	if m.loss != "" {
		p.recordApproximatedConstruct(m.block.node, "measure", name, m.loss, importer.MetricPath(m.became))
		return
	}
	p.recordExactConstruct(m.block.node, "measure", name, importer.MetricPath(m.became))
}

var sqlPrefixByMeasureType = map[string]string{
	"count": "COUNT(", "count_distinct": "COUNT(DISTINCT ", "sum": "SUM(", "average": "AVG(", "min": "MIN(", "max": "MAX(",
	"median": "MEDIAN(",
}

func (m *measure) buildMetric(out *draft.Metric, measures map[string]*measure) error {
	if m.kind == "number" {
		return m.buildMetricOfMeasures(out, measures)
	}
	begin, known := sqlPrefixByMeasureType[m.kind]
	if m.kind == "percentile" {
		fraction, err := m.percentileFraction()
		if err != nil {
			return err
		}
		begin, known = "PERCENTILE_CONT("+fraction+") WITHIN GROUP (ORDER BY ", true
	}
	if !known {
		return fmt.Errorf("the type %q of the measure has no counterpart", m.kind)
	}
	if m.block.findLastItem("sql_distinct_key") != nil {
		return errors.New("a distinct key has no counterpart")
	}
	if m.block.isYes("approximate") {
		m.loss = "the count is exact"
	}
	condition, err := m.predicateOfFilters()
	if err != nil {
		return err
	}
	value, err := m.aggregatedField()
	switch {
	case err != nil:
		return err
	case value == "" && condition == "":
		value = "*"
		out.Extension.Dataset = m.view.name
	case value == "":
		value = "CASE WHEN " + condition + " THEN 1 END"
	case condition != "":
		value = "CASE WHEN " + condition + " THEN " + value + " END"
	}
	out.Expression = draft.ANSIExpression(begin + value + ")")
	return nil
}

// percentileFraction is that of a percentile, which LookML writes in hundredths.
func (m *measure) percentileFraction() (string, error) {
	percent, err := strconv.Atoi(m.block.valueOfKey("percentile"))
	if err != nil || percent < 0 || percent > 100 {
		return "", errors.New("its percentile is not an integer from 0 to 100")
	}
	return strconv.FormatFloat(float64(percent)/100, 'f', -1, 64), nil
}

// aggregatedField is the field that a measure aggregates; "" for a count of rows.
func (m *measure) aggregatedField() (string, error) {
	v, sql := m.view, m.block.valueOfKey("sql")
	if m.kind == "count" {
		if v.primaryKey == nil {
			return "", nil
		}
		if !v.primaryKey.added {
			return "", errors.New("the primary key of the view is dropped")
		}
		return sqlexpr.FormatPath(v.name, v.primaryKey.name), nil
	}
	if sql == "" {
		return "", errors.New("it has no SQL")
	}
	text, err := v.dimensionSQL(&dimension{name: m.name, sql: sql})
	if err != nil {
		return "", err
	}
	if inner, whole := strings.CutPrefix(text, "("); whole && referencePattern.FindString(sql) == strings.TrimSpace(sql) {
		text = strings.TrimSuffix(inner, ")") // the reference to one dimension
	}
	if field := v.byText[text]; field != "" {
		return sqlexpr.FormatPath(v.name, field), nil
	}
	if column, hidden := v.columns.FindShadowedColumn("", text); hidden {
		return "", fmt.Errorf("its SQL names the column %s, and the dimension %s is something else", column, column)
	}
	name, isColumn := importer.ColumnOfExpression(text)
	for _, f := range v.dataset.Fields {
		if isColumn && strings.EqualFold(f.Name, name) {
			return sqlexpr.FormatPath(v.name, f.Name), nil
		}
	}
	if !isColumn {
		for name = m.name; !v.columns.IsNameFree(name); {
			name += "_value"
		}
	}
	v.columns.AddElementExpression(name, text)
	v.addField(&draft.Field{Name: name, IsDimension: new(false)}, text)
	return sqlexpr.FormatPath(v.name, name), nil
}

// predicateOfFilters is the predicate of the filters of a measure, "" without one.
func (m *measure) predicateOfFilters() (string, error) {
	var out []string
	add := func(name, value string) error {
		d, field := m.dimensionOfFilter(strings.TrimPrefix(name, m.view.name+"."))
		if d == nil || d.isGroup || !d.added {
			return fmt.Errorf("it filters by %s, which is not a field of the view, nor of one that a single join leads to", name)
		}
		text, err := filterConditionSQL(d, field, value)
		out = append(out, text)
		return err
	}
	for _, item := range m.block.items {
		if item.key != "filters" && item.key != "filters__all" {
			continue
		}
		if item.braces {
			if err := add(item.valueOfKey("field"), item.valueOfKey("value")); err != nil {
				return "", err
			}
		}
		for _, pair := range item.list {
			if err := add(pair.key, pair.node.Text); err != nil {
				return "", err
			}
		}
	}
	return strings.Join(out, " AND "), nil
}

// dimensionOfFilter is the dimension of a filter, and its name in an expression: of the view, or of one
// of which a row of the view has one. A joined dimension that has a value over no row is left out: in
// Looker the rows without a partner have it.
func (m *measure) dimensionOfFilter(name string) (*dimension, string) {
	alias, field, joined := strings.Cut(name, ".")
	if !joined {
		return m.view.dimensions[name], sqlexpr.FormatPath(m.view.name, name)
	}
	var found *dimension
	path := ""
	for _, j := range m.view.joins {
		switch {
		case j.name != alias:
		case found != nil:
			return nil, ""
		default:
			found, path = j.target.dimensions[field], sqlexpr.FormatPath(j.relationship, field)
		}
	}
	if found == nil || found.isGroup || !found.added || !importer.IsNullForNullColumns(found.field) {
		return nil, ""
	}
	return found, path
}

// buildMetricOfMeasures makes a metric of the measures that a text names.
func (m *measure) buildMetricOfMeasures(out *draft.Metric, measures map[string]*measure) error {
	if filters := m.block.findLastItem("filters"); filters != nil {
		return errors.New("a filter of a number has no effect in Looker")
	}
	text := m.block.valueOfKey("sql")
	if hasLiquid(text) {
		return errors.New("it has Liquid")
	}
	members := map[string]string{}
	var failed error
	text = referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		name := referencePattern.FindStringSubmatch(match)[1]
		if !strings.Contains(name, ".") {
			name = m.view.name + "." + name
		}
		switch of := measures[name]; {
		case strings.HasSuffix(name, ".TABLE"):
			failed = errors.New("it names a column of the table: declare an aggregate of it as a measure")
		case of == nil:
			failed = fmt.Errorf("it names %s, which is not a measure", name)
		case of == m:
			failed = errors.New("it names itself")
		case of.failed:
			failed = fmt.Errorf("it is made of %s, which is dropped", name)
		default:
			// A name that no column has, until the text is parsed.
			place := fmt.Sprintf("${%d}", len(members))
			members[place] = of.became
			return `"` + place + `"`
		}
		return "NULL"
	})
	if failed != nil {
		return failed
	}
	e, err := sqlexpr.Parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("its SQL cannot be read: %w", err)
	case sqlexpr.HasAggregate(e):
		return errors.New("an aggregate in a number has no counterpart: declare it as a measure")
	case len(members) == 0:
		return errors.New("it names no measure")
	}
	e = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		name, isMember := members[column.Path[0].Text]
		if !isMember || len(column.Path) > 1 {
			failed = fmt.Errorf("it names %s, which is not a measure", sqlexpr.Format(column))
		}
		bare, plain := importer.ColumnOfExpression(name)
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: !plain || bare != name}}}
	})
	if failed != nil {
		return failed
	}
	out.Expression = draft.ANSIExpression(sqlexpr.Format(e))
	return nil
}
