package cube

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// measureOverMeasures is a measure over measures.
type measureOverMeasures struct {
	cube   *cube
	node   *importer.Node
	metric *draft.Metric
}

// metricNameOfMeasure is the name of a measure's metric: its own, unless several cubes have it.
func (p *project) metricNameOfMeasure(c *cube, measure string) string {
	if p.measureCount[strings.ToLower(measure)] > 1 {
		return p.metricNames.ReserveName(c.name+"_"+measure, c.name+"_"+measure)
	}
	return p.metricNames.ReserveName(measure, c.name+"_"+measure)
}

func (p *project) addMeasures(c *cube) {
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
		title, description, context := readTitleDescriptionAndMeta(o)
		if title != "" {
			context.Synonyms = []string{title}
		}
		o.IgnoreKeys("sql", "filters", "rolling_window", "type")
		for _, key := range []string{"public", "shown"} {
			if o.Get(key).IsTrue() {
				o.IgnoreKeys(key) // the default
			} else {
				o.RecordDroppedKey(key, "it has no counterpart")
			}
		}
		for _, key := range []string{"format", "currency", "drill_members", "drill_filters"} {
			o.RecordDroppedKey(key, "it has no counterpart")
		}
		m := &draft.Metric{Name: p.metricNameOfMeasure(c, measure), Description: description, Context: context}
		loss, err := p.buildMetricOfMeasure(c, n, m)
		if err == nil && (o.Get("multi_stage") != nil || o.Get("time_shift") != nil || measure == "" || c.metrics[measure] != "") {
			err = errors.New("a measure of several stages, without a name or with that of another has no counterpart")
		}
		o.Close()
		if err != nil {
			p.recordDroppedMember(n, "measure", name, err.Error())
			continue
		}
		c.metrics[measure] = m.Name
		if m.Name != measure {
			loss = "it is renamed: another cube has a measure of the name"
		}
		if loss != "" {
			p.recordApproximatedMember(n, "measure", name, importer.MetricPath(m.Name), loss)
		} else {
			p.recordExactMember(n, "measure", name, importer.MetricPath(m.Name))
		}
		p.model.Metrics = append(p.model.Metrics, m)
	}
}

// buildMetricOfMeasure makes the expression of a measure. loss is why it is approximated.
func (p *project) buildMetricOfMeasure(c *cube, n *importer.Node, m *draft.Metric) (loss string, err error) {
	if n.Get("type").String() == "number" {
		if n.Get("filters") != nil || n.Get("rolling_window") != nil {
			return "", errors.New("filters and windows of a number have no counterpart")
		}
		p.numbers = append(p.numbers, &measureOverMeasures{c, n, m})
		return "", nil
	}
	text, function, loss, err := c.measureAggregateSQL(n, m.Name)
	if err != nil {
		return "", err
	}
	m.Expression = draft.ANSIExpression(text)
	if window := n.Get("rolling_window"); window != nil {
		return buildRollingWindow(window, m, function)
	}
	return loss, nil
}

// measureAggregateSQL is the aggregate of a measure, and the function that joins those of periods, ""
// where none does. name is for the field that it aggregates.
func (c *cube) measureAggregateSQL(n *importer.Node, name string) (text, function, loss string, err error) {
	var before string
	kind := n.Get("type").String()
	switch kind {
	case "sum":
		before, function = "SUM(", "sum"
	case "avg":
		before = "AVG("
	case "min", "max":
		before, function = strings.ToUpper(kind)+"(", kind
	case "count":
		before, function = "COUNT(", "sum"
	case "count_distinct":
		before = "COUNT(DISTINCT "
	case "count_distinct_approx":
		before, loss = "COUNT(DISTINCT ", "it is counted exactly"
	default:
		return "", "", "", errors.New("the type " + kind + " has no counterpart")
	}
	field, err := c.fieldAggregatedByMeasure(n, kind, name)
	return before + sqlexpr.FormatPath(c.name, field) + ")", function, loss, err
}

// fieldAggregatedByMeasure is the field that a measure aggregates, of the rows that its filters leave.
func (c *cube) fieldAggregatedByMeasure(n *importer.Node, kind, name string) (string, error) {
	conditions, err := c.measureFilterSQL(n)
	if err != nil {
		return "", err
	}
	text := "1"
	if sql := n.Get("sql"); sql != nil {
		if field, found := c.findSubQueryField(sql.String()); found && conditions == "" {
			return field, nil
		}
		if text, err = c.resolveReferences(sql.String(), 0); err != nil {
			return "", err
		}
	} else if kind != "count" {
		return "", errors.New("it has no sql")
	}
	if conditions != "" {
		text = "CASE WHEN " + conditions + " THEN " + text + " END"
	}
	return c.findOrAddAggregatedField(name, text)
}

func (c *cube) measureFilterSQL(n *importer.Node) (string, error) {
	var parts []string
	if list := n.Get("filters"); list != nil {
		if len(list.Items) == 0 {
			return "", errors.New("its filters are not a list of conditions")
		}
		for _, item := range list.Items {
			part, err := c.resolveReferences(c.resolveJoinedDimensions(item.Get("sql").String()), 0)
			if err != nil {
				return "", err
			}
			parts = append(parts, "("+part+")")
		}
	}
	return strings.Join(parts, " AND "), nil
}

// findOrAddAggregatedField is the field that a measure aggregates.
func (c *cube) findOrAddAggregatedField(name, text string) (string, error) {
	if field := c.byText[text]; field != "" {
		return field, nil
	}
	if inner, isWhole := cutOuterParentheses(text); isWhole && c.byText[inner] != "" {
		return c.byText[inner], nil
	}
	for _, f := range c.dataset.Fields {
		if isSameColumn(text, f.Expression[0].Text) {
			return f.Name, nil
		}
	}
	if column, bare := importer.ColumnOfExpression(text); bare {
		name = column
	} else {
		c.columns.AddElementExpression("", text)
		for !c.columns.IsNameFree(name) {
			name += "_value"
		}
	}
	return name, c.addField(&draft.Field{Name: name, IsDimension: new(false)}, text)
}

// cutOuterParentheses is the text in the parentheses that one reference is resolved to.
func cutOuterParentheses(text string) (inner string, ok bool) {
	if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' {
		return "", false
	}
	return text[1 : len(text)-1], true
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

// buildRollingWindow makes a window of trailing periods.
func buildRollingWindow(n *importer.Node, m *draft.Metric, function string) (loss string, err error) {
	trailing := n.Get("trailing").String()
	if function == "" || n.Get("leading") != nil || trailing == "" || n.Get("type") != nil && n.Get("type").String() != "fixed" || n.Get("offset") != nil && n.Get("offset").String() != "end" {
		return "", errors.New("the rolling window has no counterpart")
	}
	if trailing == "unbounded" {
		m.Extension.Window = &draft.Window{Type: "cumulative", Function: function}
		return "a time range counts its own rows only", nil
	}
	parts := strings.Fields(trailing)
	if len(parts) != 2 {
		return "", errors.New("the rolling window has no counterpart")
	}
	periods, err := strconv.Atoi(parts[0])
	unit := strings.TrimSuffix(parts[1], "s")
	if _, known := sqlexpr.ParseGrain(unit); err != nil || periods < 1 || !known {
		return "", errors.New("the rolling window has no counterpart")
	}
	m.Extension.Window = &draft.Window{Type: "rolling", Function: function, Periods: periods}
	return "it is the same grouped by " + unit + "; by another granularity the window has as many of its periods", nil
}

// expandMeasuresOverMeasures puts the metrics of measures in the places of their references.
func (p *project) expandMeasuresOverMeasures() {
	for _, x := range p.numbers {
		text := x.node.Get("sql").String()
		err := checkNoTemplateMarks(text)
		out := referencePattern.ReplaceAllStringFunc(text, func(match string) string {
			m := referencePattern.FindStringSubmatch(match)
			of, member := x.cube, m[2]
			if member == "" {
				member = m[1]
			} else if m[1] != "CUBE" {
				of = p.byName[m[1]]
			}
			if of == nil || of.metrics[member] == "" || m[3] != "" {
				err = errors.New("it refers to " + match + ", which is not an imported measure")
				return "NULL"
			}
			return sqlexpr.FormatPath(of.metrics[member])
		})
		if err == nil {
			err = x.checkOnlyMeasures(p, out)
		}
		x.metric.Expression = draft.ANSIExpression(out)
		if err != nil {
			e := p.entries[x.node]
			e.Became = slices.DeleteFunc(e.Became, func(path string) bool { return path == importer.MetricPath(x.metric.Name) })
			e.Outcome, e.Reason = importer.OutcomeApproximated, err.Error()
			if len(e.Became) == 0 {
				e.Outcome = importer.OutcomeDropped
			}
			p.model.Metrics = removeMetric(p.model.Metrics, x.metric)
		}
	}
}

// checkOnlyMeasures refuses columns and aggregates beside the measures.
func (x *measureOverMeasures) checkOnlyMeasures(p *project, text string) error {
	e, err := sqlexpr.Parse(text)
	if err != nil {
		return err
	}
	for _, column := range sqlexpr.ColumnReferences(e) {
		if len(column.Path) != 1 || !p.metricNames.IsTaken(column.Path[0].Text) {
			return errors.New("it names the column " + sqlexpr.Format(column) + " beside measures")
		}
	}
	if sqlexpr.HasAggregate(e) {
		return errors.New("it aggregates in its SQL")
	}
	return nil
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
