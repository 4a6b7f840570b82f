package metricflow

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// offsetMetricExpression returns a metric in the bucket before: a helper metric for a simple one, and for a derived one or a ratio its
// expression over inputs that are as much earlier.
func (p *projectImport) offsetMetricExpression(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	switch x.kind {
	case "simple":
		return p.addOffsetHelperMetric(of, in, x, filters)
	case "cumulative":
		return p.addOffsetOfMetric(of, in, x, filters)
	case "derived", "ratio":
		if p.hasInputWithOtherOffset(x, in) {
			return p.addOffsetOfMetric(of, in, x, filters)
		}
	default:
		return nil, fmt.Errorf("the offset of the %s metric %s has no counterpart", x.kind, x.name)
	}
	if p.expansions++; p.expansions > maxMetricExpansions {
		return nil, fmt.Errorf("its offset applies to more than %d metrics", maxMetricExpansions)
	}
	earlier := copyMetricWithEmptyInputs(of, in, x)
	for i, input := range x.inputs {
		moved := *input
		var err error
		if moved.offsetWindow, err = p.sumOffsetWindows(input.offsetWindow, in.offsetWindow); err != nil {
			return nil, err
		}
		earlier.inputs[i] = &moved
	}
	all := append(append([]string{}, x.filters...), filters...)
	if x.kind == "derived" {
		e, err := p.derivedExpression(earlier, all)
		of.losses = appendMissing(of.losses, earlier.losses...)
		return e, err
	}
	var parts [2]sqlexpr.Expr
	for i, input := range earlier.inputs {
		part, err := p.inputMetricExpression(earlier, input, all)
		if err != nil {
			return nil, err
		}
		parts[i] = part
	}
	of.losses = appendMissing(of.losses, earlier.losses...)
	return &sqlexpr.Binary{Op: sqlexpr.OpDiv, L: parts[0], R: parts[1]}, nil
}

// hasInputWithOtherOffset reports whether a metric has an input that an offset cannot be added to: one with another unit, or to
// the start of a period.
func (p *projectImport) hasInputWithOtherOffset(x *metric, in *metricInput) bool {
	return slices.ContainsFunc(x.inputs, func(input *metricInput) bool {
		_, err := p.sumOffsetWindows(input.offsetWindow, in.offsetWindow)
		return input.offsetToGrain != "" || errors.Is(err, errUnlikeOffsets)
	})
}

// errUnlikeOffsets is the error of two offsets whose units have no sum.
var errUnlikeOffsets = errors.New("two offsets have unlike units")

// addOffsetOfMetric returns a helper metric: the value of a metric with windows in the bucket before.
func (p *projectImport) addOffsetOfMetric(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	count, unit, err := p.parseOffset(in.offsetWindow)
	if err != nil {
		return nil, err
	}
	var base sqlexpr.Expr = &sqlexpr.Column{Path: []sqlexpr.Name{nameQuotedIfNeeded(x.became)}}
	if len(filters) > 0 {
		if base, err = p.filteredMetricExpression(of, in, x, filters); err != nil {
			return nil, err
		}
	}
	of.losses = appendMissing(of.losses, lossesOfOffset(unit)...)
	return p.addOffsetMetric(of, in, x, sqlexpr.Format(base), "", &draft.WindowOffset{Count: count, Granularity: unit})
}

// lossesOfOffset returns how an offset by a unit differs from that of MetricFlow.
func lossesOfOffset(unit string) []string {
	if grain, _ := sqlexpr.ParseGrain(unit); grain >= sqlexpr.GrainMonth {
		return []string{"a day whose " + unit + " before has no such day is compared with nothing, and in MetricFlow with the last day"}
	}
	return nil
}

// addOffsetMetric adds the helper metric that is an expression in the bucket before.
func (p *projectImport) addOffsetMetric(of *metric, in *metricInput, x *metric, expression, axis string, offset *draft.WindowOffset) (sqlexpr.Expr, error) {
	return p.addHelperMetric(&draft.Metric{
		Name: p.reserveHelperMetricName(of, in, "_before"), Expression: draft.ANSIExpression(expression), Description: fmt.Sprintf("%s, %s before: a part of %s.", x.name, in.offsetWindow, of.name),
		Extension: draft.MetricExtension{TimeDimension: axis, Window: &draft.Window{Type: "pop", Offset: offset, Calculation: "value"}},
	})
}

// copyMetricWithEmptyInputs returns a metric as a part of another, for inputs that are moved.
func copyMetricWithEmptyInputs(of *metric, in *metricInput, x *metric) *metric {
	out := *x
	out.name, out.inputs, out.losses = of.name+"_"+in.aliasOrName(), make([]*metricInput, len(x.inputs)), nil
	return &out
}

// aliasOrName returns the name of an input in the metric that is made of it.
func (in *metricInput) aliasOrName() string {
	if in.alias != "" {
		return in.alias
	}
	return in.name
}

// sumOffsetWindows returns the sum of two windows of one unit, the second where the first is missing.
func (p *projectImport) sumOffsetWindows(inner, outer string) (string, error) {
	if inner == "" {
		return outer, nil
	}
	a, unit, err := p.parseOffset(inner)
	if err != nil {
		return "", err
	}
	b, other, err := p.parseOffset(outer)
	switch {
	case err != nil:
		return "", err
	case unit == "week" && other == "day":
		a, unit = 7*a, other
	case unit == "day" && other == "week":
		b = 7 * b
	case unit != other:
		return "", errUnlikeOffsets
	}
	return strconv.Itoa(a+b) + " " + unit, nil
}

// parseOffset reads an offset_window. It may count periods of a calendar.
func (p *projectImport) parseOffset(text string) (count int, unit string, err error) {
	if count, unit, err = parseWindowText(text); err == nil {
		return count, unit, nil
	}
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return 0, "", err
	}
	n, numberError := strconv.Atoi(fields[0])
	if numberError != nil || n < 1 || !p.isCalendarPeriod(fields[1]) {
		return 0, "", err
	}
	return n, fields[1], nil
}

func (p *projectImport) isCalendarPeriod(name string) bool {
	return slices.ContainsFunc(p.timeSpines, func(s *timeSpine) bool {
		return slices.ContainsFunc(s.custom, func(g customGranularity) bool { return g.name == name })
	})
}

// addOffsetHelperMetric returns a helper metric: the value of a simple metric in the bucket before.
func (p *projectImport) addOffsetHelperMetric(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	count, unit, err := p.parseOffset(in.offsetWindow)
	if err != nil {
		return nil, err
	}
	base, text, err := p.filteredAggregate(x, filters)
	if err != nil {
		return nil, err
	}
	if x.measure.fill != nil {
		return nil, fmt.Errorf("the offset of %s, which fills nulls, has no counterpart", x.name)
	}
	if base.snapshots != nil {
		return nil, fmt.Errorf("the offset of %s, which is not additive over %s, has no counterpart", x.name, base.snapshots.by)
	}
	of.losses = appendMissing(of.losses, lossesOfOffset(unit)...)
	return p.addOffsetMetric(of, in, x, text, base.nonDefaultTimeAxis(), &draft.WindowOffset{Count: count, Granularity: unit})
}

// maxHelperMetrics bounds the metrics that are parts of others: offsets of offsets multiply.
const maxHelperMetrics = 10_000

// addHelperMetric adds a metric that is a part of another, and returns its name as an expression.
func (p *projectImport) addHelperMetric(helper *draft.Metric) (sqlexpr.Expr, error) {
	if p.helpers++; p.helpers > maxHelperMetrics {
		return nil, fmt.Errorf("the offsets of the project are made of more than %d metrics", maxHelperMetrics)
	}
	p.model.Metrics = append(p.model.Metrics, helper)
	return &sqlexpr.Column{Path: []sqlexpr.Name{nameQuotedIfNeeded(helper.Name)}}, nil
}

// reserveHelperMetricName returns the name of a metric that is a part of another.
func (p *projectImport) reserveHelperMetricName(of *metric, in *metricInput, suffix string) string {
	return p.metricNames.ReserveFirstUnusedName(of.name+"_"+in.aliasOrName(), of.name+"_"+in.aliasOrName()+suffix)
}

// firstDayMetricExpression returns a helper metric: the value of a simple metric on the first day of the period that holds the day. Over the
// rows of first days alone, a window that begins again with each period has that value on all its days.
func (p *projectImport) firstDayMetricExpression(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	switch x.kind {
	case "simple":
	case "derived":
		return p.derivedMetricExpressionOnFirstDay(of, in, x, filters)
	case "cumulative":
		return p.cumulativeMetricOnFirstDay(of, in, x, filters)
	default:
		return nil, fmt.Errorf("the offset of the %s metric %s to the start of a period has no counterpart", x.kind, x.name)
	}
	period := strings.ToLower(in.offsetToGrain)
	if grain, _ := sqlexpr.ParseGrain(period); grain < sqlexpr.GrainWeek {
		return nil, fmt.Errorf("an offset to the start of a period of %s has no counterpart", period)
	}
	base, _, err := p.filteredAggregate(x, filters)
	if err != nil {
		return nil, err
	}
	axis := base.timeDimension()
	e := base.model.findDimension(axis)
	if e == nil || e.kind != "time" || e.granularity != "day" && e.granularity != "" || x.measure.fill != nil || base.snapshots != nil {
		return nil, fmt.Errorf("the offset of %s to the start of a period has no counterpart: its time is not a day, or it fills nulls, or it does not add up over time", x.name)
	}
	field := sqlexpr.FormatPath(base.model.dataset.Name, axis)
	all := append(append(append([]string{}, x.filters...), x.measure.filters...), filters...)
	text, err := base.aggregateSQL(all, "DATE_TRUNC('day', "+field+") = DATE_TRUNC('"+period+"', "+field+")")
	if err != nil {
		return nil, err
	}
	of.losses = appendMissing(of.losses, "the value at the start of a "+period+" is the same grouped by day")
	return p.addHelperMetric(&draft.Metric{
		Name: p.reserveHelperMetricName(of, in, "_at_start"), Expression: draft.ANSIExpression(text), Description: fmt.Sprintf("%s on the first day of the %s: a part of %s.", x.name, period, of.name),
		Extension: draft.MetricExtension{TimeDimension: base.nonDefaultTimeAxis(), Window: &draft.Window{Recompute: &draft.RecomputeWindow{Periods: "unbounded", Reset: period}}},
	})
}

// derivedMetricExpressionOnFirstDay returns the expression of a derived metric over inputs on the first day of a period.
func (p *projectImport) derivedMetricExpressionOnFirstDay(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	if p.expansions++; p.expansions > maxMetricExpansions {
		return nil, fmt.Errorf("its offset applies to more than %d metrics", maxMetricExpansions)
	}
	earlier := copyMetricWithEmptyInputs(of, in, x)
	for i, input := range x.inputs {
		moved := *input
		if moved.offsetToGrain != "" || moved.offsetWindow != "" {
			return nil, errors.New("an offset to the start of a period of an offset has no counterpart")
		}
		moved.offsetToGrain = in.offsetToGrain
		earlier.inputs[i] = &moved
	}
	e, err := p.derivedExpression(earlier, append(append([]string{}, x.filters...), filters...))
	of.losses = appendMissing(of.losses, earlier.losses...)
	return e, err
}
