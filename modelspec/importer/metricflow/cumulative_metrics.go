package metricflow

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// buildCumulativeMetric makes a window over an aggregate.
func (p *projectImport) buildCumulativeMetric(x *metric) (*draft.Metric, error) {
	base := p.simpleMetricOfWindow(x)
	of, text, err := p.filteredAggregate(base, nil)
	if err != nil {
		return nil, err
	}
	if of.snapshots != nil {
		return nil, fmt.Errorf("a cumulative metric over a measure that is not additive over %s has no counterpart", of.snapshots.by)
	}
	window := &draft.RecomputeWindow{}
	switch {
	case x.window != "" && x.grainToDate != "":
		return nil, errors.New("it has a window and grain_to_date, of which only one can hold")
	case x.window != "":
		if window.Span, err = of.parseSpan(x.window); err != nil {
			return nil, err
		}
	case x.grainToDate != "":
		if grain, _ := sqlexpr.ParseGrain(x.grainToDate); grain < sqlexpr.GrainHour {
			return nil, errors.New("the granularity " + x.grainToDate + " of grain_to_date has no counterpart")
		}
		window.Periods, window.Reset = "unbounded", x.grainToDate
	default:
		window.Periods = "unbounded"
	}
	x.losses = append(x.losses, x.windowLosses(window, of.timeGrain())...)
	out := &draft.Metric{Expression: draft.ANSIExpression(text), Extension: draft.MetricExtension{TimeDimension: of.nonDefaultTimeAxis(), Window: &draft.Window{Recompute: window}}}
	if base.measure.fill != nil {
		x.losses = append(x.losses, "fill_nulls_with does not apply to a window")
	}
	return out, nil
}

// simpleMetricOfWindow returns the metric whose rows a cumulative metric aggregates: the cumulative metric itself with its
// measure, or the simple metric that it names.
func (p *projectImport) simpleMetricOfWindow(x *metric) *metric {
	base := *x
	base.kind = "simple"
	if x.measure != nil && x.own == nil && p.measures[x.measure.name] == nil {
		if of := p.metrics[x.measure.name]; of != nil && of.kind == "simple" {
			base.measure, base.own = of.measure, of.own
			base.filters = append(append(append([]string{}, of.filters...), x.filters...), x.measure.filters...)
		}
	}
	return &base
}

// parseSpan reads a window over the times of a measure.
func (x *measure) parseSpan(text string) (*draft.WindowOffset, error) {
	count, unit, err := parseWindowText(text)
	if err != nil {
		return nil, err
	}
	if grain, _ := sqlexpr.ParseGrain(unit); grain < x.timeGrain() {
		return nil, fmt.Errorf("its window of %s is finer than its time, which has the granularity %s", text, x.timeGrain())
	}
	return &draft.WindowOffset{Count: count, Granularity: unit}, nil
}

// timeGrain returns the granularity of the times of a measure, at which its windows have a value in MetricFlow.
func (x *measure) timeGrain() sqlexpr.Grain {
	if e := x.model.findDimension(x.timeDimension()); e != nil {
		if grain, known := sqlexpr.ParseGrain(e.granularity); known {
			return grain
		}
	}
	return sqlexpr.GrainDay
}

// windowLosses returns how the values of a window differ from those of MetricFlow, which has a value for each time of the
// granularity own and shows one of them, or their mean, in a coarser period.
func (x *metric) windowLosses(window *draft.RecomputeWindow, own sqlexpr.Grain) []string {
	if own == sqlexpr.GrainYear {
		return nil
	}
	coarser := func(format string, args ...any) string {
		return fmt.Sprintf("the values are the same grouped by "+own.String()+"; "+format, args...)
	}
	shown := map[string]string{"": "first", "first": "first", "last": "last"}[x.periodAggregate]
	switch {
	case x.periodAggregate == "average":
		return []string{coarser("a coarser period has the value of its last %s, and in MetricFlow the mean of all of them", own)}
	case shown != "last":
		return []string{coarser("a coarser period has the value of its last %[1]s, and in MetricFlow that of its first %[1]s", own)}
	case window.Span != nil:
		loss := coarser("a coarser period whose last window has no rows is null, and in MetricFlow it has the value of an earlier %s", own)
		if unit, _ := sqlexpr.ParseGrain(window.Span.Granularity); unit >= sqlexpr.GrainMonth {
			loss += ", and where it ends with a shorter month its window may begin up to three days later"
		}
		return []string{loss}
	case window.Reset != "":
		if reset, known := sqlexpr.ParseGrain(window.Reset); known && own < sqlexpr.GrainWeek && reset > sqlexpr.GrainWeek {
			return []string{"grouped by week, the value begins with the first week of the " + window.Reset}
		}
	}
	return nil
}

// filteredCumulativeMetric returns the name of a cumulative metric under further filters, which is a part of another metric.
func (p *projectImport) filteredCumulativeMetric(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	if x == p.metrics[x.name] && len(filters) == 0 {
		return &sqlexpr.Column{Path: []sqlexpr.Name{nameQuotedIfNeeded(x.became)}}, nil
	}
	filtered := *x
	filtered.filters, filtered.losses = append(append([]string{}, x.filters...), filters...), nil
	helper, err := p.buildCumulativeMetric(&filtered)
	if err != nil {
		return nil, err
	}
	helper.Name = p.reserveHelperMetricName(of, in, "_so_far")
	helper.Description = fmt.Sprintf("%s: a part of %s.", x.name, of.name)
	return p.addHelperMetric(helper)
}

// cumulativeMetricOnFirstDay returns the value of a cumulative metric on the first day of a period. A sum so far is the sum of
// today without the rows of the period, and with those of its first day.
func (p *projectImport) cumulativeMetricOnFirstDay(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	base := p.simpleMetricOfWindow(x)
	period, _ := sqlexpr.ParseGrain(strings.ToLower(in.offsetToGrain))
	reset, isGrain := sqlexpr.ParseGrain(x.grainToDate)
	measure, _, err := p.filteredAggregate(base, filters)
	switch {
	case err != nil:
		return nil, err
	case isGrain && (reset == period || reset.Subdivides(period)): // the window begins on that day
		return p.firstDayMetricExpression(of, in, base, filters)
	case x.window != "" || x.grainToDate != "" && !period.Subdivides(reset) || !slices.Contains(additiveAggregates, measure.agg):
		return nil, fmt.Errorf("the offset of %s to the start of a period has no counterpart: only sums and counts so far have one", x.name)
	}
	toDate := *x
	toDate.grainToDate = period.String()
	var parts [3]sqlexpr.Expr
	if parts[0], err = p.filteredCumulativeMetric(of, in, x, filters); err != nil {
		return nil, err
	}
	if parts[1], err = p.filteredCumulativeMetric(of, in, &toDate, filters); err != nil {
		return nil, err
	}
	if parts[2], err = p.firstDayMetricExpression(of, in, base, filters); err != nil {
		return nil, err
	}
	of.losses = appendMissing(of.losses, "it is 0 before the first "+period.String()+" that begins with a row, where MetricFlow has no value")
	zeroIfNull := func(e sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: sqlexpr.InfoOfFunction(sqlexpr.FnCoalesce).Name}, Args: []sqlexpr.Expr{e, &sqlexpr.Number{Text: "0"}}}
	}
	before := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: parts[0], R: zeroIfNull(parts[1])}
	return &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: before, R: zeroIfNull(parts[2])}, nil
}

// additiveAggregates are those whose value over rows is the sum of the values over parts of the rows.
var additiveAggregates = []string{"sum", "count", "sum_boolean"}
