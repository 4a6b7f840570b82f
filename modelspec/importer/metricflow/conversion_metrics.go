package metricflow

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// conversionParams are the conversion_type_params of a metric: which rows count as conversions of which others.
type conversionParams struct {
	base, conversion *conversionInput
	entity           string
	calculation      string // conversions or conversion_rate
	window           string
	constants        []constantProperty
	opportunities    *measure // of the base; nil until the metric is built
}

// conversionInput is a measure or a simple metric of a conversion metric.
type conversionInput struct {
	*metricInput
	isMetric bool
}

// constantProperty is an element of each side whose values are equal in a conversion.
type constantProperty struct{ base, conversion string }

// readConversionParams reads the parameters of a conversion metric.
func (p *projectImport) readConversionParams(x *metric, t *importer.ObjectReader) {
	n := t.Get("conversion_type_params")
	if n == nil {
		return
	}
	o := t.ReadChild(n, "conversion_type_params")
	if o == nil {
		return
	}
	defer o.Close()
	c := &conversionParams{entity: o.GetText("entity"), calculation: strings.ToLower(o.GetText("calculation")), window: windowText(o.Get("window"))}
	c.base, c.conversion = p.readConversionInput(x, o, "base"), p.readConversionInput(x, o, "conversion")
	for _, item := range o.GetList("constant_properties") {
		if property := p.report.ReadObject(item, "metric constant_property", x.name); property != nil {
			c.constants = append(c.constants, constantProperty{property.GetText("base_property"), property.GetText("conversion_property")})
			property.Close()
		}
	}
	x.conversion = c
}

// readConversionInput reads one side of a conversion metric. Where a file names a metric and a measure, the metric counts.
func (p *projectImport) readConversionInput(x *metric, o *importer.ObjectReader, side string) *conversionInput {
	ofMeasure, ofMetric := o.Get(side+"_measure"), o.Get(side+"_metric")
	if in := p.readMetricInput(ofMetric, side+"_metric", x); in != nil {
		return &conversionInput{in, true}
	}
	if in := p.readMetricInput(ofMeasure, side+"_measure", x); in != nil {
		return &conversionInput{in, false}
	}
	return nil
}

// buildConversionMetric makes an aggregate over the rows that follow others, or its share of an aggregate of those
// others. In MetricFlow, and here, each row belongs to the last one before it.
func (p *projectImport) buildConversionMetric(x *metric) (*draft.Metric, error) {
	c := x.conversion
	switch {
	case c == nil:
		return nil, errors.New("it has no conversion_type_params")
	case !slices.Contains([]string{"", "conversions", "conversion_rate"}, c.calculation):
		return nil, errors.New("the calculation " + c.calculation + " is not known")
	}
	base, err := p.simpleMetricOfConversion(c.base, "base")
	if err != nil {
		return nil, err
	}
	base.filters = append(append([]string{}, x.filters...), base.filters...)
	conversion, err := p.simpleMetricOfConversion(c.conversion, "conversion")
	switch {
	case err != nil:
		return nil, err
	case len(conversion.filters)+len(conversion.measure.filters) > 0:
		return nil, errors.New("a filter of the conversions has no counterpart")
	case base.measure.fill != nil && *base.measure.fill != 0:
		return nil, errors.New("fill_nulls_with of the base is a number other than 0, which has no counterpart")
	}
	opportunities, err := p.measureOfSimpleMetric(base)
	if err != nil {
		return nil, err
	}
	events, err := p.measureOfSimpleMetric(conversion)
	if err != nil {
		return nil, err
	}
	for _, of := range []*measure{opportunities, events} {
		if err := of.refusalOfConversion(); err != nil {
			return nil, err
		}
	}
	text, err := p.conversionAggregate(x, opportunities, events, append(append([]string{}, base.filters...), base.measure.filters...))
	if err != nil {
		return nil, err
	}
	c.opportunities = opportunities
	source := opportunities.model.dataset.Name
	x.losses = append(x.losses, "a condition or a range of a query leaves out a conversion with the last row of "+source+" before it; in MetricFlow the conversion then belongs to an earlier row",
		"of several rows of "+source+" at one time MetricFlow does not determine which has a conversion")
	out := &draft.Metric{Extension: draft.MetricExtension{TimeDimension: sqlexpr.FormatPath(source, opportunities.timeDimension())}}
	if c.calculation == "conversions" {
		out.Expression, out.Extension.FillNullsWith = draft.ANSIExpression(text), conversion.measure.fill
		x.losses = append(x.losses, "groups of "+source+" without a conversion are in the result beside a metric of "+source+" only")
		return out, nil
	}
	if fill := conversion.measure.fill; fill != nil {
		text = fmt.Sprintf("COALESCE(%s, %d)", text, *fill)
	}
	_, divisor, err := p.filteredAggregate(base, nil)
	out.Expression = draft.ANSIExpression(text + " / " + divisor)
	return out, err
}

// refusalOfConversion returns the reason why a measure has no place in a conversion metric, nil where it has one.
func (x *measure) refusalOfConversion() error {
	switch {
	case x.refused != "":
		return errors.New(x.refused)
	case x.snapshots != nil:
		return fmt.Errorf("a conversion of a measure that is not additive over %s has no counterpart", x.snapshots.by)
	}
	return x.refusalOfTemplates()
}

// conversionAggregate returns the aggregate of the conversions, and adds the dataset of their rows.
func (p *projectImport) conversionAggregate(x *metric, opportunities, events *measure, filters []string) (string, error) {
	condition, err := opportunities.filterSQL(filters)
	if err != nil {
		return "", err
	}
	var window *draft.WindowOffset
	if x.conversion.window != "" {
		if window, err = events.parseSpan(x.conversion.window); err != nil {
			return "", err
		}
	}
	rows, err := p.findOrAddConversionRows(x.conversion, opportunities, events, condition)
	if err != nil {
		return "", err
	}
	x.parts = []string{importer.DatasetPath(rows.model.dataset.Name), importer.RelationshipPath(rows.relationship)}
	return rows.aggregateWithinWindow(events, window)
}

// simpleMetricOfConversion returns one side of a conversion metric as a simple metric.
func (p *projectImport) simpleMetricOfConversion(in *conversionInput, side string) (*metric, error) {
	switch {
	case in == nil:
		return nil, errors.New("it has no " + side + "_measure and no " + side + "_metric")
	case !in.isMetric:
		return &metric{name: in.name, kind: "simple", measure: in.metricInput}, nil
	}
	of := p.metrics[in.name]
	switch {
	case of == nil:
		return nil, errors.New(importer.MissingOrUnknown("metric", in.name, "is not in the input"))
	case of.refused != "":
		return nil, errors.New(of.refused)
	case of.kind != "simple" || of.measure == nil:
		return nil, fmt.Errorf("its %s_metric %s is not a simple metric with a measure", side, in.name)
	}
	out, read := *of, *of.measure
	out.filters = append(append([]string{}, of.filters...), in.filters...)
	if in.fill != nil {
		read.fill = in.fill
	}
	out.measure = &read
	return &out, nil
}
