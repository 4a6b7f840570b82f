package cube

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// cubeMeasure is a measure of a cube. Cubes that extend each other share measures.
type cubeMeasure struct {
	cube *cube
	node *importer.Node
}

// reserveMetricNames names the metrics of all measures: as the measures, unless several cubes have the name.
func (p *projectImport) reserveMetricNames() {
	var measures []cubeMeasure
	var names, alternatives []string
	for _, c := range p.cubes {
		if c.dataset == nil {
			continue
		}
		for _, n := range c.lists["measures"] {
			name := n.Get("name").String()
			measures, names, alternatives = append(measures, cubeMeasure{c, n}), append(names, name), append(alternatives, c.name+"_"+name)
		}
	}
	for i, name := range p.metricNames.ReserveNames(names, alternatives) {
		p.metricNameOf[measures[i]] = name
	}
}

func (p *projectImport) addMeasures(c *cube) {
	if c.dataset == nil {
		return
	}
	for _, n := range c.lists["measures"] {
		name := c.name + "." + n.Get("name").String()
		report := p.report
		if p.entries[n] != nil {
			report = &importer.Report{} // the cube that declares it has reported its keys
		}
		o := report.ReadObject(n, "measure", name)
		if o == nil {
			continue
		}
		measure := o.GetText("name")
		description, context := readDescriptionAndContext(o, measure)
		o.IgnoreKeys("sql", "filters", "rolling_window", "type", "case", "multi_stage", timeShiftKey, "order_by")
		o.IgnoreKeys(stageKeys...) // errorOfStages names them
		o.RecordDroppedKey(maskKey, maskDropReason)
		for _, key := range []string{"public", "shown"} {
			if o.Get(key).IsTrue() {
				o.IgnoreKeys(key) // the default
			} else {
				o.RecordDroppedKey(key, "it has no counterpart")
			}
		}
		o.RecordPresentationKeys("format", "currency", "drill_members", "drill_filters", "links")
		m := &draft.Metric{Name: p.metricNameOf[cubeMeasure{c, n}], Description: description, Context: context}
		loss, err := p.buildMetricOfMeasure(c, n, m)
		if err == nil && (measure == "" || c.metrics[measure] != "") {
			err = errors.New("it has no name, or that of another measure")
		}
		o.Close()
		if err != nil {
			p.recordDroppedMember(n, "measure", name, err.Error())
			continue
		}
		c.metrics[measure] = m.Name
		if m.Name != measure {
			loss = "it is renamed: another cube has a measure of the same name"
		}
		p.recordMember(n, "measure", name, importer.MetricPath(m.Name), importer.JoinReasons(loss, c.lossOfAccessPolicy()))
		p.model.Metrics = append(p.model.Metrics, m)
	}
}

// buildMetricOfMeasure makes the expression of a measure. loss is why it is approximated.
func (p *projectImport) buildMetricOfMeasure(c *cube, n *importer.Node, m *draft.Metric) (loss string, err error) {
	if err := errorOfStages(n); err != nil {
		return "", err
	}
	if isAtLevel(n) {
		m.Extension.Derive, loss, err = c.levelOfMeasure(n)
		if err == nil {
			p.calculated = append(p.calculated, &calculatedMeasure{cube: c, node: n, metric: m, text: n.Get("sql").String()})
		}
		return loss, err
	}
	switch kind := snakeCaseMemberType(n); kind {
	case rankType:
		text, loss, err := c.addRank(n, m)
		if err == nil {
			p.calculated = append(p.calculated, &calculatedMeasure{cube: c, node: n, metric: m, text: text})
		}
		return loss, err
	case "number", "string", "time", "boolean":
		if n.Get("filters") != nil || n.Get("rolling_window") != nil || n.Get("sql") == nil {
			return "", errors.New("a " + kind + " with a filter or a window, or without sql, has no counterpart")
		}
		loss, err = p.addTimeShift(c, n, m)
		if c.isServed {
			loss = importer.JoinReasons(loss, "the document lacks the stages and time shifts of measures")
		}
		if err == nil {
			p.calculated = append(p.calculated, &calculatedMeasure{cube: c, node: n, metric: m, text: n.Get("sql").String()})
		}
		return loss, err
	}
	if n.Get(timeShiftKey) != nil {
		return "", errUnsupportedTimeShift
	}
	text, loss, err := c.measureAggregateSQL(n, m.Name)
	if err != nil {
		return "", err
	}
	m.Expression = draft.ANSIExpression(text)
	if window := n.Get("rolling_window"); window != nil {
		if calendar := p.calendarWithPeriod(window.Get("granularity").String()); calendar != "" {
			return "", errors.New("its period is the " + window.Get("granularity").String() + " of the calendar " + calendar + ", which is another one than that of a query")
		}
		windowLoss, err := p.addRollingWindow(c, n, m)
		return importer.JoinReasons(windowLoss, loss), err
	}
	return loss, nil
}

// measureAggregateSQL returns the aggregate of a measure. name is for the field that it aggregates.
func (c *cube) measureAggregateSQL(n *importer.Node, name string) (text, loss string, err error) {
	var before string
	kind := snakeCaseMemberType(n)
	switch kind {
	case "sum":
		before = "SUM("
	case "avg":
		before = "AVG("
	case "min", "max":
		before = strings.ToUpper(kind) + "("
	case "count":
		before = "COUNT("
	case "count_distinct":
		before = "COUNT(DISTINCT "
	case "count_distinct_approx":
		before, loss = "COUNT(DISTINCT ", "it is counted exactly"
	default:
		return "", "", errors.New(importer.MissingOrUnknown("type", kind, "has no counterpart"))
	}
	field, bracketLoss, err := c.fieldAggregatedByMeasure(n, kind, name)
	return before + sqlexpr.FormatPath(c.name, field) + ")", importer.JoinReasons(loss, bracketLoss), err
}

// fieldAggregatedByMeasure returns the field that a measure aggregates, of the rows that its filters leave.
func (c *cube) fieldAggregatedByMeasure(n *importer.Node, kind, name string) (field, loss string, err error) {
	conditions, err := c.measureFilterSQL(n)
	if err != nil {
		return "", "", err
	}
	value := unreferencedSQL("1")
	if sql := n.Get("sql"); sql != nil {
		if field, found := c.findSubQueryFieldNamedBySQL(sql.String()); found && conditions.text == "" {
			return field, "", nil
		}
		if value, err = c.resolveReferences(sql.String(), 0); err != nil {
			return "", "", err
		}
	} else if kind != "count" {
		return "", "", errors.New("it has no sql")
	} else if err := c.appendKeyConditions(&conditions); err != nil {
		return "", "", err
	}
	if conditions.text != "" {
		whole := unreferencedSQL("CASE WHEN ")
		whole.append(conditions, unreferencedSQL(" THEN "), value, unreferencedSQL(" END"))
		value = whole
	}
	field, err = c.findOrAddFieldOfExpression(name, value.text)
	return field, value.lossOfParentheses(), err
}

func (c *cube) measureFilterSQL(n *importer.Node) (resolvedSQL, error) {
	var out resolvedSQL
	if list := n.Get("filters"); list != nil {
		if len(list.Items) == 0 {
			return out, errors.New("its filters are not a list of conditions")
		}
		for _, item := range list.Items {
			part, err := c.resolveReferences(item.Get("sql").String(), 0)
			if err != nil {
				return out, err
			}
			out.appendCondition(part)
		}
	}
	return out, nil
}

// appendKeyConditions adds the conditions that Cube has on the rows that it counts: they have a primary key. A column that is
// a key has a value in each row, but an expression may be null.
func (c *cube) appendKeyConditions(conditions *resolvedSQL) error {
	for _, name := range c.keyFields {
		sql, err := c.dimensionSQL(c.members[name], 0)
		if err != nil {
			return err
		}
		if _, bare := importer.ColumnOfExpression(sql.text); bare {
			continue
		}
		condition := unreferencedSQL("(")
		condition.append(sql, unreferencedSQL(") IS NOT NULL"))
		conditions.appendCondition(condition)
	}
	return nil
}

// findOrAddFieldOfExpression returns the field that a measure aggregates.
func (c *cube) findOrAddFieldOfExpression(name, text string) (string, error) {
	if field := c.byText[text]; field != "" {
		return field, nil
	}
	text = c.withoutShadowedColumns("", text)
	for _, f := range c.dataset.Fields {
		if isSameColumn(text, f.Expression[0].Text) {
			return f.Name, nil
		}
	}
	if column, bare := importer.ColumnOfExpression(text); bare {
		for name = column; c.hasField(name); {
			name += "_column" // in quotes another column than the field's
		}
	} else {
		c.columns.AddElementExpression("", text)
		for !c.columns.IsNameFree(name) {
			name += "_value"
		}
	}
	return name, c.addField(&draft.Field{Name: name, IsDimension: new(false)}, text)
}

func (c *cube) hasField(name string) bool {
	return slices.ContainsFunc(c.dataset.Fields, func(f *draft.Field) bool { return strings.EqualFold(f.Name, name) })
}

// isSameColumn reports whether two expressions are one column. Without quotes, case makes no
// difference.
func isSameColumn(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if !strings.EqualFold(a, b) {
		return false
	}
	_, bare := importer.ColumnOfExpression(a)
	return bare && !strings.ContainsAny(a+b, "\"`[")
}

func removeMetric(list []*draft.Metric, gone *draft.Metric) []*draft.Metric {
	var out []*draft.Metric
	for _, m := range list {
		if m != gone {
			out = append(out, m)
		}
	}
	return out
}
