package metricflow

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addMetrics adds the metrics, and those that measures ask for.
func (p *project) addMetrics() {
	for _, m := range p.semanticModels {
		for _, x := range m.measures {
			if x.metric && p.metrics[x.name] == nil {
				own := &metric{node: x.node, name: x.name, kind: "simple", description: x.about, measure: &input{name: x.name}}
				if x.label != "" && !strings.EqualFold(x.label, x.name) {
					own.context.Synonyms = []string{x.label}
				}
				p.metrics[x.name] = own
				p.metricList = append(p.metricList, own)
			}
		}
	}
	for _, x := range p.metricList {
		p.metricNames.Take(x.name, x.name)
	}
	for _, x := range p.metricList {
		p.expansions = 0
		p.add(x)
	}
	p.reportMeasures()
}

// add adds a metric, after those that it is made of.
func (p *project) add(x *metric) {
	if x.state != unseen {
		return
	}
	x.state = open
	// A metric with create_metric has the entry of its measure.
	isMeasure := p.measures[x.name] != nil && p.measures[x.name].node == x.node
	built, err := p.build(x)
	if err != nil {
		x.state = failed
		x.refused = err.Error()
		if !isMeasure {
			p.report.Dropped(x.node, "metric", x.name, x.refused)
		}
		return
	}
	x.state, x.became = added, x.name
	built.Name = x.name
	built.Description, built.Context = x.description, x.context
	p.model.Metrics = append(p.model.Metrics, built)
	path := importer.MetricPath(x.name)
	switch {
	case isMeasure:
	case len(x.losses) > 0:
		p.report.Approximated(x.node, "metric", x.name, strings.Join(x.losses, "; "), path)
	default:
		p.report.Exact(x.node, "metric", x.name, path)
	}
}

// reportMeasures records the measures: the field that metrics aggregate, and the metric of
// a measure that asks for one.
func (p *project) reportMeasures() {
	for _, m := range p.semanticModels {
		for _, x := range m.measures {
			name := m.dataset.Name + "." + x.name
			own := p.metrics[x.name]
			isMetric := own != nil && own.node == x.node
			switch {
			case x.refused != "":
				p.report.Dropped(x.node, "measure", name, x.refused)
			case isMetric && own.state == failed:
				p.report.Dropped(x.node, "measure", name, own.refused)
			case isMetric:
				p.report.Exact(x.node, "measure", name, importer.MetricPath(x.name))
			case x.field == "":
				p.report.Exact(x.node, "measure", name).Reason = "no imported metric uses it"
			default:
				p.report.Exact(x.node, "measure", name, importer.FieldPath(m.dataset.Name, x.field))
			}
		}
	}
}

// build makes the expression of a metric and its extension.
func (p *project) build(x *metric) (*draft.Metric, error) {
	if x.refused != "" {
		return nil, errors.New(x.refused)
	}
	switch x.kind {
	case "simple":
		return p.simple(x)
	case "ratio":
		return p.ratio(x)
	case "derived":
		return p.derived(x)
	case "cumulative":
		return p.cumulative(x)
	case "conversion":
		return nil, errors.New("a conversion metric has no counterpart")
	}
	return nil, fmt.Errorf("the type %q of the metric is not known", x.kind)
}

func (p *project) simple(x *metric) (*draft.Metric, error) {
	of, text, err := p.aggregateOf(x, nil)
	if err != nil {
		return nil, err
	}
	return &draft.Metric{Expression: draft.ANSI(text), Extension: draft.MetricExtension{
		FillNullsWith: x.measure.fill, TimeDimension: of.axis(),
	}}, nil
}

// aggregateOf is the measure of a simple metric, and its aggregate under further filters.
func (p *project) aggregateOf(x *metric, filters []string) (*measure, string, error) {
	if x.measure == nil {
		return nil, "", errors.New("it names no measure")
	}
	of := x.own
	if of == nil {
		of = p.measures[x.measure.name]
	}
	if of == nil {
		return nil, "", fmt.Errorf("the measure %s is not in the input", x.measure.name)
	}
	all := append(append(append([]string{}, x.filters...), x.measure.filters...), filters...)
	text, err := of.aggregate(all)
	return of, text, err
}

// aggregate is the aggregate of a measure over the rows that filters leave.
func (x *measure) aggregate(filters []string) (string, error) {
	if x.refused != "" {
		return "", errors.New(x.refused)
	}
	condition, err := x.condition(filters)
	if err != nil {
		return "", err
	}
	if err := x.addField(); err != nil {
		return "", err
	}
	value := sqlexpr.FormatPath(x.model.dataset.Name, x.field)
	if x.agg == "sum_boolean" {
		value = "CASE WHEN " + value + " THEN 1 ELSE 0 END"
	}
	if condition != "" {
		value = "CASE WHEN " + condition + " THEN " + value + " END"
	}
	switch x.agg {
	case "count":
		return "COUNT(" + value + ")", nil
	case "count_distinct":
		return "COUNT(DISTINCT " + value + ")", nil
	case "average":
		return "AVG(" + value + ")", nil
	case "min", "max":
		return strings.ToUpper(x.agg) + "(" + value + ")", nil
	}
	return "SUM(" + value + ")", nil
}

// addField gives the measure a field of its dataset: the one that is the same column, else
// a new one that queries cannot group by.
func (x *measure) addField() error {
	if x.field != "" {
		return nil
	}
	m := x.model
	if strings.Contains(x.expr, "{{") || strings.Contains(x.expr, "{%") {
		return errors.New("the expression of the measure " + x.name + " has Jinja")
	}
	if column, hidden := m.columns.Hidden("", x.expr); hidden {
		return fmt.Errorf("the expression of the measure %s names the column %s, and the element %s is something else", x.name, column, column)
	}
	if x.field = m.fieldsByText[x.expr]; x.field != "" {
		return nil
	}
	name := x.name
	if column, ok := importer.BareColumn(x.expr); ok {
		name = column
	} else {
		for !m.columns.Free(name) {
			name += "_value"
		}
	}
	m.columns.Use(name, x.expr)
	x.field = name
	m.addField(&draft.Field{Name: name, IsDimension: new(false), Description: x.about}, x.expr)
	return nil
}

// axis is the time dimension of the measure, "" where it is that of its dataset.
func (x *measure) axis() string {
	if x.time == "" || x.time == x.model.dataset.TimeDimension {
		return ""
	}
	return sqlexpr.FormatPath(x.model.dataset.Name, x.time)
}
