package metricflow

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// metric is one metric of a file.
type metric struct {
	node        *importer.Node
	name        string
	kind        string
	description string
	context     draft.Context
	filters     []string
	measure     *input   // simple and cumulative: the measure, or a cumulative metric's metric
	own         *measure // a metric that is its own measure
	inputs      []*input // ratio: numerator and denominator; derived: its metrics
	expr        string   // derived
	window      string   // cumulative
	grainToDate string   // cumulative
	refused     string   // why it is dropped
	losses      []string // why it is approximated

	state  state
	became string // its name in the model
}

// input is a measure or metric that a metric is made of.
type input struct {
	name, alias   string
	filters       []string
	fill          *int
	offsetWindow  string
	offsetToGrain string
}

// state is how far a metric is.
type state uint8

const (
	unseen state = iota
	open         // its inputs are being added: to meet it again is a cycle
	added
	failed
)

func (p *project) addMetric(n *importer.Node) {
	if p.disabled(n, "metric") {
		return
	}
	o := p.report.Object(n, "metric", n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	x := &metric{node: n, name: o.Text("name"), kind: strings.ToLower(o.Text("type")), filters: filterTexts(o.Get("filter"))}
	if x.name == "" {
		p.report.Dropped(n, "metric", "", "it has no name")
		return
	}
	x.description, x.context = meta(o, x.name)
	o.Drop("time_granularity", "a query without a granularity groups by day")
	if params := o.Get("type_params"); params != nil {
		if t := o.Child(params, "type_params"); t != nil {
			p.typeParams(x, t)
			t.Close()
		}
	}
	if p.metrics[x.name] != nil {
		p.report.Dropped(n, "metric", x.name, "another metric has the name")
		return
	}
	p.metrics[x.name] = x
	p.metricList = append(p.metricList, x)
}

// typeParams reads what a metric is made of. Keys of other types of metrics are null in a
// manifest.
func (p *project) typeParams(x *metric, t *importer.Object) {
	t.Ignore("input_measures")
	x.expr = t.Text("expr")
	x.measure = p.input(t.Get("measure"), "measure", x)
	if legacy := t.List("measures"); x.measure == nil && len(legacy) == 1 {
		x.measure = p.input(legacy[0], "measure", x)
	}
	p.ownMeasure(x, t)
	for _, key := range []string{"numerator", "denominator"} {
		if in := p.input(t.Get(key), key, x); in != nil {
			x.inputs = append(x.inputs, in)
		}
	}
	for _, item := range t.List("metrics") {
		if in := p.input(item, "metric", x); in != nil {
			x.inputs = append(x.inputs, in)
		}
	}
	x.window, x.grainToDate = window(t.Get("window")), strings.ToLower(t.Text("grain_to_date"))
	if n := t.Get("cumulative_type_params"); n != nil {
		if c := t.Child(n, "cumulative_type_params"); c != nil {
			x.window += window(c.Get("window"))
			x.grainToDate += strings.ToLower(c.Text("grain_to_date"))
			if in := p.input(c.Get("metric"), "metric", x); in != nil {
				x.measure = in
			}
			if agg := strings.ToLower(c.Text("period_agg")); agg != "" && agg != "first" && agg != "last" {
				x.refused = "a cumulative metric whose periods take the " + agg + " has no counterpart"
			}
			c.Close()
		}
	}
	t.Ignore("conversion_type_params")
}

// ownMeasure reads the aggregate of a metric that needs no measure.
func (p *project) ownMeasure(x *metric, t *importer.Object) {
	t.Ignore("fill_nulls_with", "join_to_timespine", "is_private")
	n := t.Get("metric_aggregation_params")
	if n == nil {
		return
	}
	o := t.Child(n, "metric_aggregation_params")
	if o == nil {
		return
	}
	defer o.Close()
	name := o.Text("semantic_model")
	model := p.modelsByName[name]
	x.own = p.aggregate(o, model)
	if x.own.expr == "" {
		x.own.expr = x.expr
	}
	x.own.name = x.name
	x.measure = &input{name: x.name}
	if model == nil {
		x.own.refused = "the semantic model " + name + " is not in the input"
	} else {
		model.columns.Use("", x.own.expr)
	}
	p.fill(x, x.measure, t.Node)
}

// input reads a measure or metric that a metric is made of: its name, or a map.
func (p *project) input(n *importer.Node, construct string, x *metric) *input {
	switch {
	case n == nil:
		return nil
	case n.Kind == importer.Scalar:
		return &input{name: n.Text}
	}
	o := p.report.Object(n, "metric "+construct, x.name)
	if o == nil {
		return nil
	}
	defer o.Close()
	in := &input{
		name: o.Text("name"), alias: o.Text("alias"), filters: filterTexts(o.Get("filter")),
		offsetWindow: window(o.Get("offset_window")), offsetToGrain: o.Text("offset_to_grain"),
	}
	o.Ignore("fill_nulls_with", "join_to_timespine")
	p.fill(x, in, n)
	return in
}

// fill reads how a metric shows a time without rows.
func (p *project) fill(x *metric, in *input, n *importer.Node) {
	if value := n.Get("fill_nulls_with"); value != nil {
		number, err := strconv.Atoi(value.Text)
		if err != nil {
			x.refused = "fill_nulls_with is not an integer"
			return
		}
		in.fill = &number
	}
	if spine := n.Get("join_to_timespine"); spine != nil && spine.True() {
		p.report.Dropped(spine, "join_to_timespine", x.name, "a result has no rows for times without data")
		x.losses = append(x.losses, "times without data are not in the result")
	}
}

// window is the text of a window: "7 days", or count and granularity.
func window(n *importer.Node) string {
	if n == nil || n.Kind == importer.Scalar {
		return n.String()
	}
	return n.Get("count").String() + " " + n.Get("granularity").String()
}

// period reads a window.
func period(text string) (count int, unit string, err error) {
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) != 2 {
		return 0, "", fmt.Errorf("the window %q is not a number and a granularity", text)
	}
	count, err = strconv.Atoi(fields[0])
	if err != nil || count < 1 {
		return 0, "", fmt.Errorf("the window %q is not a number and a granularity", text)
	}
	switch unit = strings.TrimSuffix(fields[1], "s"); unit {
	case "day", "week", "month", "quarter", "year":
		return count, unit, nil
	}
	return 0, "", errors.New("the granularity " + unit + " of a window has no counterpart")
}
