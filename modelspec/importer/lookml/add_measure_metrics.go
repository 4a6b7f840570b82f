package lookml

import (
	"errors"
	"fmt"
	"slices"
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
	// ignoresCase is set where its filters compare texts without regard to case.
	ignoresCase bool
}

// addMetrics names the measures of all views, and makes their metrics: those that are
// arithmetic over measures after the others.
func (p *projectImport) addMetrics() {
	measures := map[string]*measure{}
	var list []*measure
	var names, alternatives []string
	for _, v := range p.viewList {
		for _, m := range v.measures {
			if measures[v.name+"."+m.name] != nil || m.name == "" {
				p.recordDroppedConstruct(m.block.node, "measure", v.name+"."+m.name, "another measure of the view has the name")
				continue
			}
			measures[v.name+"."+m.name] = m
			m.ignoresCase = p.ignoresCase
			if m.kind == "" {
				m.kind = "string" // the default of LookML
			}
			list, names, alternatives = append(list, m), append(names, m.name), append(alternatives, v.name+"_"+m.name)
		}
	}
	for i, name := range p.metricNames.ReserveNames(names, alternatives) {
		if list[i].became = name; name != list[i].name {
			list[i].loss = "another measure has the same name"
		}
	}
	for _, arithmetic := range []bool{false, true} {
		for _, m := range list {
			if m.isExpression() == arithmetic {
				p.addMetric(m, measures)
			}
		}
	}
}

func (p *projectImport) addMetric(m *measure, measures map[string]*measure) {
	name := m.view.name + "." + m.name
	out := &draft.Metric{Name: m.became}
	out.Description, out.Context = readDescriptionAndContext(m.block, m.name)
	err := m.buildMetric(out, measures)
	p.reportUnreadKeys(m.block, name, appendDescriptiveKeyNames("type", "sql", "percentile", "filters", "filters__all", "hidden", "approximate", "alias", "based_on", "based_on_time", "period", "kind", "value_to_date", "sql_distinct_key", "direction")...)
	if err != nil {
		m.failed = true
		p.recordDroppedConstruct(m.block.node, "measure", name, err.Error())
		return
	}
	p.model.Metrics = append(p.model.Metrics, out)
	loss := importer.JoinReasons(m.loss, lossOfRestrictions(m.block), m.view.restrictions)
	p.recordConstruct(m.block.node, "measure", name, loss, importer.MetricPath(m.became))
}

var sqlPrefixByMeasureType = map[string]string{
	"count": "COUNT(", "count_distinct": "COUNT(DISTINCT ", "sum": "SUM(", "average": "AVG(", "min": "MIN(", "max": "MAX(",
	"median": "MEDIAN(",
}

func (m *measure) buildMetric(out *draft.Metric, measures map[string]*measure) error {
	if m.isExpression() {
		return m.buildExpressionMetric(out, measures)
	}
	if aggregate := aggregateOfDistinct(m.kind); aggregate != "" {
		return m.buildDistinctMetric(out, aggregate)
	}
	if m.kind == "sum" { // Looker writes COALESCE(SUM(…), 0)
		out.Extension.FillNullsWith = new(0)
	}
	begin, err := m.beginOfAggregate(m.kind)
	if err != nil {
		return err
	}
	if m.block.findLastItem("sql_distinct_key") != nil {
		return errors.New("a distinct key has no counterpart")
	}
	switch {
	case m.block.isYes("approximate"):
		m.loss = "the count is exact"
	case m.kind == "count" && m.block.findLastItem("sql") != nil:
		m.loss = "its SQL is not read: a count counts the rows of its view"
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

// beginOfAggregate returns the text before what an aggregate of a type aggregates.
func (m *measure) beginOfAggregate(kind string) (string, error) {
	begin, known := sqlPrefixByMeasureType[kind]
	switch {
	case kind == "percentile":
		fraction, err := m.percentileFraction()
		return "PERCENTILE_CONT(" + fraction + ") WITHIN GROUP (ORDER BY ", err
	case !known:
		return "", fmt.Errorf("the type %q of the measure has no counterpart", m.kind)
	}
	return begin, nil
}

// percentileFraction returns the fraction of a percentile, which LookML writes in hundredths.
func (m *measure) percentileFraction() (string, error) {
	percent, err := strconv.Atoi(m.block.valueOfKey("percentile"))
	if err != nil || percent < 0 || percent > 100 {
		return "", errors.New("its percentile is not an integer from 0 to 100")
	}
	return strconv.FormatFloat(float64(percent)/100, 'f', -1, 64), nil
}

// aggregatedField returns the field that a measure aggregates; "" for a count of rows.
func (m *measure) aggregatedField() (string, error) {
	v, sql := m.view, m.block.valueOfKey("sql")
	if m.kind == "count" {
		if v.primaryKey == nil {
			return "", nil
		}
		if !v.primaryKey.added {
			return "", errors.New("the primary key of the view is dropped")
		}
		if _, isColumn := importer.ColumnOfExpression(v.primaryKey.written); !isColumn {
			return "", nil // the expression may be null, and Looker counts the row
		}
		return sqlexpr.FormatPath(v.name, v.primaryKey.name), nil
	}
	if sql == "" {
		return "", errors.New("it has no SQL")
	}
	d := &dimension{name: m.name, sql: sql}
	text, err := v.dimensionSQL(d)
	if err != nil {
		return "", err
	}
	if d.approximated != "" {
		m.loss = d.approximated
	}
	if inner, whole := strings.CutPrefix(text, "("); whole && referencePattern.FindString(sql) == strings.TrimSpace(sql) {
		text = strings.TrimSuffix(inner, ")") // the reference to one dimension
	}
	if e, err := importer.ParseSQL(text, v.project.options.Dialect); err == nil && sqlexpr.HasAggregate(e) {
		return "", errors.New("its SQL aggregates before the measure does")
	}
	return m.findOrAddFieldOfExpression(text), nil
}

// findOrAddFieldOfExpression returns the path of the field of an expression that the measure aggregates.
func (m *measure) findOrAddFieldOfExpression(text string) string {
	return sqlexpr.FormatPath(m.view.name, m.view.findOrAddField(m.name, text))
}

// findOrAddField returns the field of an expression over columns: one of the dataset, or a new one that queries
// cannot group by. base is the name of a new one that is not a column.
func (v *view) findOrAddField(base, text string) string {
	if field := v.byText[text]; field != "" {
		return field
	}
	text = v.withoutShadowedColumns("", text)
	column, isColumn := importer.ColumnOfExpression(text)
	for _, f := range v.dataset.Fields {
		if isColumn && strings.EqualFold(f.Name, column) {
			return f.Name
		}
	}
	name := column
	if !isColumn {
		for name = base; !v.columns.IsNameFree(name); {
			name += "_value"
		}
	}
	v.columns.AddElementExpression(name, text)
	v.addDatasetField(&draft.Field{Name: name, IsDimension: new(false)}, text)
	return name
}

// predicateOfFilters returns the predicate of the filters of a measure, "" without one.
func (m *measure) predicateOfFilters() (string, error) {
	var out []string
	add := func(name, value string) error {
		d, field := m.dimensionOfFilter(strings.TrimPrefix(name, m.view.name+"."))
		if d == nil || !d.added {
			return fmt.Errorf("it filters by %s, which is not a field of the view, nor of one that a single join leads to", name)
		}
		text, loss, err := filterConditionSQL(d, field, value, m.ignoresCase)
		m.loss = importer.JoinReasons(m.loss, loss)
		if text != "" {
			out = append(out, text)
		}
		return err
	}
	for _, filter := range filterPairsOf(m.block) {
		if err := add(filter[0], filter[1]); err != nil {
			return "", err
		}
	}
	return strings.Join(out, " AND "), nil
}

// dimensionOfFilter returns the dimension of a filter, and its name in an expression: of the view, or of one
// of which a row of the view has one. A joined dimension that has a value over no row is left out: in
// Looker the rows without a partner have it.
func (m *measure) dimensionOfFilter(name string) (*dimension, string) {
	alias, field, joined := strings.Cut(name, ".")
	if !joined {
		d, frame := m.view.findDimension(name)
		if d == nil {
			return nil, ""
		}
		if d.isGroup && !slices.Contains(dateTimeframes, frame) { // a part, such as the day of the week
			part := *d
			part.kind = "part"
			return &part, sqlexpr.FormatPath(m.view.name, d.name)
		}
		return d, sqlexpr.FormatPath(m.view.name, d.name)
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
	if found == nil || found.isGroup || !found.added || !importer.IsNullForNullColumns(&draft.Field{Expression: draft.ANSIExpression(found.written)}, m.view.project.options.Dialect) {
		return nil, ""
	}
	return found, path
}
