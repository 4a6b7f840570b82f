package metricflow

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addMetrics adds the metrics, and those that measures request.
func (p *projectImport) addMetrics() {
	for _, m := range p.semanticModels {
		for _, x := range m.measures {
			if x.metric && p.metrics[x.name] == nil {
				own := &metric{node: x.node, name: x.name, kind: "simple", description: x.about, measure: &metricInput{name: x.name}}
				own.context = importer.NewAIContext(x.label, x.name, nil)
				p.metrics[x.name] = own
				p.metricList = append(p.metricList, own)
			}
		}
	}
	for _, x := range p.metricList {
		p.metricNames.ReserveFirstUnusedName(x.name, x.name)
	}
	for _, x := range p.metricList {
		p.expansions = 0
		p.addMetricAfterInputs(x)
	}
	p.addMeasureOutcomesToReport()
}

// addMetricAfterInputs adds a metric, after those that it is made of.
func (p *projectImport) addMetricAfterInputs(x *metric) {
	if x.state != metricStateNotYetBuilt {
		return
	}
	x.state = metricStateBeingBuilt
	// A metric with create_metric has the entry of its measure.
	isMeasure := p.measures[x.name] != nil && p.measures[x.name].node == x.node
	built, err := p.buildMetric(x)
	if err != nil {
		x.state = metricStateFailed
		x.refused = err.Error()
		if !isMeasure {
			p.report.AddDropped(x.node, "metric", x.name, x.refused)
		}
		return
	}
	x.state, x.became = metricStateAdded, x.name
	built.Name = x.name
	built.Description, built.Context = x.description, x.context
	p.model.Metrics = append(p.model.Metrics, built)
	paths := append([]string{importer.MetricPath(x.name)}, x.parts...)
	switch {
	case isMeasure:
	case len(x.losses) > 0:
		p.report.AddApproximated(x.node, "metric", x.name, strings.Join(x.losses, "; "), paths...)
	default:
		p.report.AddExact(x.node, "metric", x.name, paths...)
	}
}

// addMeasureOutcomesToReport records the measures: the field that metrics aggregate, and the metric of
// a measure that requests one.
func (p *projectImport) addMeasureOutcomesToReport() {
	for _, m := range p.semanticModels {
		for _, x := range m.measures {
			name := m.dataset.Name + "." + x.name
			own := p.metrics[x.name]
			isMetric := own != nil && own.node == x.node
			switch {
			case x.refused != "":
				p.report.AddDropped(x.node, "measure", name, x.refused)
			case isMetric && own.state == metricStateFailed:
				p.report.AddDropped(x.node, "measure", name, own.refused)
			case isMetric && len(own.losses) > 0:
				p.report.AddApproximated(x.node, "measure", name, strings.Join(own.losses, "; "), importer.MetricPath(x.name))
			case isMetric:
				p.report.AddExact(x.node, "measure", name, importer.MetricPath(x.name))
			case x.field == "" && x.copied != "":
				p.report.AddExact(x.node, "measure", name, x.copied)
			case x.field == "":
				p.report.AddExact(x.node, "measure", name).Reason = "no imported metric uses it"
			default:
				p.report.AddExact(x.node, "measure", name, importer.FieldPath(m.dataset.Name, x.field))
			}
		}
	}
}

// buildMetric makes the expression of a metric and its extension.
func (p *projectImport) buildMetric(x *metric) (*draft.Metric, error) {
	if x.refused != "" {
		return nil, errors.New(x.refused)
	}
	switch x.kind {
	case "simple":
		return p.buildSimpleMetric(x)
	case "ratio":
		return p.buildRatioMetric(x)
	case "derived":
		return p.buildDerivedMetric(x)
	case "cumulative":
		return p.buildCumulativeMetric(x)
	case "conversion":
		return p.buildConversionMetric(x)
	}
	return nil, errors.New(importer.MissingOrUnknown("type", x.kind, "is not known"))
}

func (p *projectImport) buildSimpleMetric(x *metric) (*draft.Metric, error) {
	of, text, err := p.filteredAggregate(x, nil)
	if err != nil {
		return nil, err
	}
	nonAdditive, losses, err := of.nonAdditiveBlock()
	if err != nil {
		return nil, err
	}
	x.losses = appendMissing(x.losses, losses...)
	return &draft.Metric{Expression: draft.ANSIExpression(text), Extension: draft.MetricExtension{
		FillNullsWith: x.measure.fill, TimeDimension: of.nonDefaultTimeAxis(), NonAdditive: nonAdditive,
	}}, nil
}

// filteredAggregate returns the measure of a simple metric, and its aggregate under further filters.
func (p *projectImport) filteredAggregate(x *metric, filters []string) (*measure, string, error) {
	of, err := p.measureOfSimpleMetric(x)
	if err != nil {
		return nil, "", err
	}
	all := append(append(append([]string{}, x.filters...), x.measure.filters...), filters...)
	text, err := of.aggregateSQL(all, "")
	return of, text, err
}

// measureOfSimpleMetric returns the measure that a simple metric aggregates.
func (p *projectImport) measureOfSimpleMetric(x *metric) (*measure, error) {
	if x.measure == nil {
		return nil, errors.New("it names no measure")
	}
	of := x.own
	if of == nil {
		of = p.measures[x.measure.name]
	}
	if of == nil {
		return nil, errors.New(importer.MissingOrUnknown("measure", x.measure.name, "is not in the input"))
	}
	return of, nil
}

// aggregateSQL returns the aggregate of a measure over the rows that filters leave, and a condition over fields, "" where
// there is none.
func (x *measure) aggregateSQL(filters []string, rows string) (string, error) {
	if x.refused != "" {
		return "", errors.New(x.refused)
	}
	if x.snapshots != nil && len(filters) > 0 {
		return "", fmt.Errorf("a filter of a measure that is not additive over %s moves its snapshot, which has no counterpart", x.snapshots.by)
	}
	condition, err := x.filterSQL(filters)
	if err != nil {
		return "", err
	}
	switch {
	case rows != "" && condition != "":
		condition = "(" + condition + ") AND " + rows
	case rows != "":
		condition = rows
	}
	if err := x.addFieldOfMeasure(); err != nil {
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
	case "min", "max", "median":
		return strings.ToUpper(x.agg) + "(" + value + ")", nil
	case "percentile":
		return x.percentileSQL(value), nil
	}
	return "SUM(" + value + ")", nil
}

// addFieldOfMeasure gives the measure a field of its dataset: the one that is the same column, else
// a new one that queries cannot group by.
func (x *measure) addFieldOfMeasure() error {
	if x.field != "" {
		return nil
	}
	m := x.model
	if err := x.refusalOfTemplates(); err != nil {
		return err
	}
	x.written, x.expr = x.expr, m.withoutShadowedColumns("", x.expr)
	if x.field = m.fieldsByText[x.expr]; x.field != "" {
		return nil
	}
	name := x.name
	if column, ok := importer.ColumnOfExpression(x.expr); ok {
		name = column
	} else {
		for !m.columns.IsNameFree(name) {
			name += "_value"
		}
	}
	m.columns.AddElementExpression(name, x.expr)
	x.field = name
	m.addField(&draft.Field{Name: name, IsDimension: new(false), Description: x.about}, x.expr)
	return nil
}

// refusalOfTemplates returns an error for a measure whose expression is a template.
func (x *measure) refusalOfTemplates() error {
	if strings.Contains(x.expr, "{{") || strings.Contains(x.expr, "{%") {
		return errors.New("the expression of the measure " + x.name + " has Jinja")
	}
	return nil
}

// nonDefaultTimeAxis returns the time dimension of the measure, "" where it is that of its dataset.
func (x *measure) nonDefaultTimeAxis() string {
	if x.time == "" || x.time == x.model.dataset.TimeDimension {
		return ""
	}
	return sqlexpr.FormatPath(x.model.dataset.Name, x.time)
}
