package attribute

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// PlannedAttribution is a planned attribution: the queries that fetch its numbers, and
// what is to be made of them. Run every query, then call Report.
type PlannedAttribution struct {
	// Totals reads the metric's measures in both windows; Dimensions read them
	// for each member, one query for each dimension of the request.
	Totals     *plan.PlannedQuery
	Dimensions []*plan.PlannedQuery
	// View is that of PlannedQuery.
	View *plan.ViewUse

	metric     *catalog.Metric
	where      sqlexpr.Expr // the request's where_sql, over names
	counts     reportLimits
	analysis   metricArithmetic
	totals     totalsQuery
	dimensions []dimensionQuery
	comparison attribution.ComparisonSummary
}

// newPlannedAttribution puts the planned queries together.
func (f querySetBuilder) newPlannedAttribution(c reportLimits, read metricArithmetic, t totalsQuery, dimensions []dimensionQuery, view *plan.ViewUse) *PlannedAttribution {
	compared := f.windows.newComparisonSummary()
	compared.Params, compared.TimeDimension = read.params, t.timeDimension
	planned := make([]*plan.PlannedQuery, len(dimensions))
	for i, d := range dimensions {
		planned[i] = d.planned
	}
	return &PlannedAttribution{
		Totals: t.planned, Dimensions: planned, View: view,
		metric: f.windows.request.metric, where: f.where, counts: c, analysis: read, totals: t, dimensions: dimensions, comparison: compared,
	}
}

// QueryResultRows are the rows of one query in column order; each value is nil, a string,
// a bool or a json.Number.
type QueryResultRows [][]any

// Queries lists the queries to run: the totals, then one for each dimension.
func (a *PlannedAttribution) Queries() []*plan.PlannedQuery {
	return append([]*plan.PlannedQuery{a.Totals}, a.Dimensions...)
}

// Report computes the report from the rows of Queries, in their order. The error is
// a *planerr.Error of code denominator_nonpositive, or internal where rows are
// missing.
func (a *PlannedAttribution) Report(rows []QueryResultRows) (*attribution.Report, error) {
	if len(rows) != 1+len(a.dimensions) {
		return nil, scope.InternalError("%d answers to the %d queries of an attribution", len(rows), 1+len(a.dimensions))
	}
	in := attribution.DecompositionInput{
		Metric:    a.metric.Name,
		Formula:   a.analysis.formula,
		Reason:    a.analysis.reason,
		Leaves:    make([]attribution.LeafMeasure, len(a.analysis.leaves)),
		Totals:    a.readTotals(rows[0]),
		MaxValues: a.counts.values, TopDimensions: a.counts.topDimensions, TopValues: a.counts.topValues,
	}
	for i, l := range a.analysis.leaves {
		in.Leaves[i] = attribution.LeafMeasure{Name: l.name, Counts: l.measure.Agg.IsZeroOverNoRows()}
	}
	for i := range a.dimensions {
		in.Dimensions = append(in.Dimensions, a.readSegments(i, rows[i+1]))
	}
	r, err := attribution.Decompose(in)
	var denominator *attribution.DenominatorError
	if errors.As(err, &denominator) {
		return nil, &planerr.Error{
			Code:           planerr.CodeDenominatorNonpositive,
			Message:        denominator.Error() + ", so that segments have no share of it",
			Metrics:        []string{a.metric.Name},
			SuggestedRetry: "choose windows that have data, or attribute the numerator and the denominator separately",
		}
	}
	if err != nil {
		return nil, err
	}
	a.addMetadataAndBreakdowns(r, rows[0])
	return r, nil
}

// addMetadataAndBreakdowns adds what the decomposition does not know.
func (a *PlannedAttribution) addMetadataAndBreakdowns(r *attribution.Report, totals QueryResultRows) {
	r.WindowMapping = a.analysis.window
	r.ComparisonMetadata = a.comparison
	r.ComparisonMetadata.QueriesExecuted = 1 + len(a.dimensions)
	if !a.comparison.EqualLengthWindows && !a.analysis.isOfStocks() {
		r.Warnings = append(r.Warnings, attribution.Warning{
			Code: attribution.WarnUnequalWindows,
			Message: fmt.Sprintf("the windows differ in length, %s days against %s: part of the change is their length",
				floatText(a.comparison.BaselineDays), floatText(a.comparison.CurrentDays)),
		})
	}
	if len(totals) == 0 {
		return
	}
	row := totals[0]
	for i, m := range a.totals.members {
		at := a.totals.layout.members[i]
		p := a.replaceMissingByZeroInSums(readValuePair(row, *at))
		out := attribution.CompositionMember{Metric: m.metric.Name, ComparedValue: attribution.NewComparedValue(p)}
		if m.coefficient != nil {
			c, weighted := attribution.NullableFloat(*m.coefficient), attribution.NullableFloat(*m.coefficient*p.Delta())
			out.Coefficient, out.WeightedDelta = &c, &weighted
		}
		r.MemberBreakdown = append(r.MemberBreakdown, out)
	}
	if a.totals.layout.base != nil {
		r.FilterBreakdown = &attribution.FilterBreakdown{
			BaseMetric: a.metric.Derive.Base.Name,
			Base:       attribution.NewComparedValue(a.replaceMissingByZeroInSums(readValuePair(row, *a.totals.layout.base))),
			Filtered: attribution.ComparedValue{
				BaselineValue: r.TotalChange.BaselineValue, CurrentValue: r.TotalChange.CurrentValue, Delta: r.TotalChange.Delta,
			},
			Complement: attribution.NewComparedValue(a.replaceMissingByZeroInSums(readValuePair(row, *a.totals.layout.complement))),
		}
	}
}

// replaceMissingByZeroInSums counts a missing number as 0 where the metric is made of sums.
func (a *PlannedAttribution) replaceMissingByZeroInSums(p attribution.ValuePair) attribution.ValuePair {
	if a.analysis.formula.Strategy != attribution.TermWiseStrategy {
		return p
	}
	if math.IsNaN(p.Baseline) {
		p.Baseline = 0
	}
	if math.IsNaN(p.Current) {
		p.Current = 0
	}
	return p
}

func floatText(n attribution.NullableFloat) string {
	return strconv.FormatFloat(float64(n), 'f', -1, 64)
}

// readTotals reads the one row of totals; a window metric's, the rows of the last
// buckets.
func (a *PlannedAttribution) readTotals(rows QueryResultRows) attribution.SegmentNumbers {
	s := newEmptySegmentNumbers(len(a.analysis.leaves))
	for _, row := range rows {
		a.addRowToSegmentNumbers(&s, row, a.totals.layout)
	}
	return s
}

// readSegments reads the members of a dimension, in the order of their first rows.
func (a *PlannedAttribution) readSegments(i int, rows QueryResultRows) attribution.DimensionSegments {
	d := a.dimensions[i]
	out := attribution.DimensionSegments{Dimension: d.name, More: d.layout.bucket < 0 && len(rows) > a.counts.values}
	index := map[any]int{}
	for _, row := range rows {
		value := row[0]
		at, seen := index[value]
		if !seen {
			at = len(out.Members)
			index[value] = at
			s := attribution.Segment{Text: attribution.DimensionValueText(value), Null: value == nil, SegmentNumbers: newEmptySegmentNumbers(len(a.analysis.leaves))}
			if !d.coded {
				s.DrillDown = attribution.MemberConditionText(a.where, d.column, d.typ, value)
			}
			out.Members = append(out.Members, s)
		}
		a.addRowToSegmentNumbers(&out.Members[at].SegmentNumbers, row, d.layout)
	}
	if d.layout.bucket >= 0 {
		out.Members = segmentsInLastBuckets(out.Members)
	}
	return out
}

// segmentsInLastBuckets drops the members that are in neither last bucket.
func segmentsInLastBuckets(members []attribution.Segment) []attribution.Segment {
	var out []attribution.Segment
	for _, m := range members {
		if !math.IsNaN(m.Value.Baseline) || !math.IsNaN(m.Value.Current) {
			out = append(out, m)
		}
	}
	return out
}

func newEmptySegmentNumbers(leaves int) attribution.SegmentNumbers {
	none := attribution.ValuePair{Baseline: math.NaN(), Current: math.NaN()}
	s := attribution.SegmentNumbers{Leaves: make([]attribution.ValuePair, leaves), Value: none}
	for i := range s.Leaves {
		s.Leaves[i] = none
	}
	return s
}

// addRowToSegmentNumbers reads a row's numbers into a sample. In a time series a row counts for
// the window that it is the last bucket of.
func (a *PlannedAttribution) addRowToSegmentNumbers(s *attribution.SegmentNumbers, row []any, l resultColumnLayout) {
	for i, at := range l.leaves {
		s.Leaves[i] = readValuePair(row, at)
	}
	if l.value == nil {
		return
	}
	p := readValuePair(row, *l.value)
	if l.bucket < 0 {
		s.Value = p
		return
	}
	if row[l.bucket] == a.analysis.last.days[0] {
		s.Value.Baseline = p.Baseline
	}
	if row[l.bucket] == a.analysis.last.days[1] {
		s.Value.Current = p.Current
	}
}

func readValuePair(row []any, at windowColumnPair) attribution.ValuePair {
	return attribution.ValuePair{Baseline: numberAt(row, at.baseline), Current: numberAt(row, at.current)}
}

// numberAt returns a number of a row, NaN for NULL and for a value that is not a number.
func numberAt(row []any, col int) float64 {
	if n, ok := row[col].(json.Number); ok {
		if f, err := n.Float64(); err == nil {
			return f
		}
	}
	return math.NaN()
}
