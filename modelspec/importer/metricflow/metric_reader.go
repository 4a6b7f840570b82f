package metricflow

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// metric is one metric of a file.
type metric struct {
	node        *importer.Node
	name        string
	kind        string
	description string
	context     draft.AIContext
	filters     []string
	measure     *metricInput   // simple and cumulative: the measure, or a cumulative metric's metric
	own         *measure       // a metric that is its own measure
	inputs      []*metricInput // ratio: numerator and denominator; derived: its metrics
	expr        string         // derived
	window      string         // cumulative
	grainToDate string         // cumulative
	// periodAggregate is first, last or average: which day a cumulative metric shows in a coarser period.
	periodAggregate string
	conversion      *conversionParams
	refused         string   // why it is dropped
	losses          []string // why it is approximated

	state  metricBuildState
	became string   // its name in the model
	parts  []string // the objects that it needs
}

// metricInput is a measure or metric that a metric is made of.
type metricInput struct {
	name, alias   string
	filters       []string
	fill          *int
	offsetWindow  string
	offsetToGrain string
}

// metricBuildState is how far a metric is.
type metricBuildState uint8

const (
	metricStateNotYetBuilt metricBuildState = iota
	metricStateBeingBuilt                   // its inputs are being added: to meet it again is a cycle
	metricStateAdded
	metricStateFailed
)

func (p *projectImport) readMetric(n *importer.Node) {
	if p.recordIfDisabled(n, "metric") {
		return
	}
	if n.Get("calculation_method") != nil {
		p.report.AddDropped(n, "metric", n.Get("name").String(), "it is written for dbt before 1.6 (calculation_method), whose metrics are not read")
		return
	}
	o := p.report.ReadObject(n, "metric", n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	x := &metric{node: n, name: o.GetText("name"), kind: strings.ToLower(o.GetText("type")), filters: filterTexts(o.Get("filter"))}
	if x.name == "" {
		p.report.AddDropped(n, "metric", "", "it has no name")
		return
	}
	x.description, x.context = readDescriptionAndContext(o, x.name)
	o.RecordDroppedKey("time_granularity", "a query without a granularity groups by day")
	if params := o.Get("type_params"); params != nil {
		if t := o.ReadChild(params, "type_params"); t != nil {
			p.readTypeParams(x, t)
			t.Close()
		}
	}
	if p.metrics[x.name] != nil {
		p.report.AddDropped(n, "metric", x.name, "another metric has the same name")
		return
	}
	p.metrics[x.name] = x
	p.metricList = append(p.metricList, x)
}

// readTypeParams reads what a metric is made of. Keys of other types of metrics are null in a
// manifest.
func (p *projectImport) readTypeParams(x *metric, t *importer.ObjectReader) {
	t.IgnoreKeys("input_measures")
	x.expr = t.GetText("expr")
	x.measure = p.readMetricInput(t.Get("measure"), "measure", x)
	if legacy := t.GetList("measures"); x.measure == nil && len(legacy) == 1 {
		x.measure = p.readMetricInput(legacy[0], "measure", x)
	}
	p.readMetricAggregationParams(x, t)
	for _, key := range []string{"numerator", "denominator"} {
		if in := p.readMetricInput(t.Get(key), key, x); in != nil {
			x.inputs = append(x.inputs, in)
		}
	}
	for _, item := range t.GetList("metrics") {
		if in := p.readMetricInput(item, "metric", x); in != nil {
			x.inputs = append(x.inputs, in)
		}
	}
	x.window, x.grainToDate = windowText(t.Get("window")), strings.ToLower(t.GetText("grain_to_date"))
	if n := t.Get("cumulative_type_params"); n != nil {
		if c := t.ReadChild(n, "cumulative_type_params"); c != nil {
			x.window += windowText(c.Get("window"))
			x.grainToDate += strings.ToLower(c.GetText("grain_to_date"))
			if in := p.readMetricInput(c.Get("metric"), "metric", x); in != nil {
				x.measure = in
			}
			x.periodAggregate = strings.ToLower(c.GetText("period_agg"))
			c.Close()
		}
	}
	p.readConversionParams(x, t)
}

// readMetricAggregationParams reads the aggregate of a metric that needs no measure.
func (p *projectImport) readMetricAggregationParams(x *metric, t *importer.ObjectReader) {
	t.IgnoreKeys("fill_nulls_with", "join_to_timespine", "is_private")
	n := t.Get("metric_aggregation_params")
	if n == nil {
		return
	}
	o := t.ReadChild(n, "metric_aggregation_params")
	if o == nil {
		return
	}
	defer o.Close()
	name := o.GetText("semantic_model")
	model := p.modelsByName[name]
	x.own = p.readMeasureAggregate(o, model)
	if x.own.expr == "" {
		x.own.expr = x.expr
	}
	x.own.name = x.name
	x.measure = &metricInput{name: x.name}
	switch {
	case name == "":
		x.own.refused = "a metric that is its own aggregate belongs to the dbt model that it aggregates"
	case model == nil:
		x.own.refused = importer.MissingOrUnknown("semantic model", name, "is not in the input")
	default:
		model.columns.AddElementExpression("", x.own.expr)
	}
	p.readNullFillAndTimespineJoin(x, x.measure, t.Node)
}

// readMetricInput reads a measure or metric that a metric is made of: its name, or a map.
func (p *projectImport) readMetricInput(n *importer.Node, construct string, x *metric) *metricInput {
	switch {
	case n == nil:
		return nil
	case n.Kind == importer.KindScalar:
		return &metricInput{name: n.Text}
	}
	o := p.report.ReadObject(n, "metric "+construct, x.name)
	if o == nil {
		return nil
	}
	defer o.Close()
	in := &metricInput{
		name: o.GetText("name"), alias: o.GetText("alias"), filters: filterTexts(o.Get("filter")),
		offsetWindow: windowText(o.Get("offset_window")), offsetToGrain: o.GetText("offset_to_grain"),
	}
	o.IgnoreKeys("fill_nulls_with", "join_to_timespine")
	p.readNullFillAndTimespineJoin(x, in, n)
	return in
}

// readNullFillAndTimespineJoin reads how a metric shows a time without rows.
func (p *projectImport) readNullFillAndTimespineJoin(x *metric, in *metricInput, n *importer.Node) {
	if value := n.Get("fill_nulls_with"); value != nil {
		number, err := strconv.Atoi(value.Text)
		if err != nil {
			x.refused = "fill_nulls_with is not an integer"
			return
		}
		in.fill = &number
	}
	if spine := n.Get("join_to_timespine"); spine != nil && spine.IsTrue() {
		p.report.AddDropped(spine, "join_to_timespine", x.name, "a query shows times without data with its key fill")
		x.losses = appendMissing(x.losses, "times without data are in the result of a query with fill only")
	}
}

// windowText returns the text of a window: "7 days", or count and granularity.
func windowText(n *importer.Node) string {
	if n == nil || n.Kind == importer.KindScalar {
		return n.String()
	}
	return n.Get("count").String() + " " + n.Get("granularity").String()
}

// parseWindowText reads a window.
func parseWindowText(text string) (count int, unit string, err error) {
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) != 2 {
		return 0, "", fmt.Errorf("the window %q is not a number and a granularity", text)
	}
	count, err = strconv.Atoi(fields[0])
	if err != nil || count < 1 {
		return 0, "", fmt.Errorf("the window %q is not a number and a granularity", text)
	}
	unit = strings.TrimSuffix(fields[1], "s")
	if _, ok := sqlexpr.ParseGrain(unit); ok {
		return count, unit, nil
	}
	return 0, "", errors.New("the granularity " + unit + " of a window has no counterpart")
}
