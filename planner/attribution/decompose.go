package attribution

import (
	"cmp"
	"math"
	"slices"
)

// DecompositionInput is what a decomposition is made from.
type DecompositionInput struct {
	Metric  string
	Formula MetricFormula
	Reason  *UnsupportedReason // why the formula is Unsupported
	Leaves  []LeafMeasure
	Totals  SegmentNumbers
	// Dimensions in the order of the request, and how much of them to keep.
	Dimensions                          []DimensionSegments
	MaxValues, TopDimensions, TopValues int
}

// LeafMeasure is one measure. If Counts is true, it is 0, not missing, over no rows.
type LeafMeasure struct {
	Name   string
	Counts bool
}

// SegmentNumbers is the numbers of one segment, or of the whole: of each measure and,
// for an Unsupported formula, of the metric itself.
type SegmentNumbers struct {
	Leaves []ValuePair
	Value  ValuePair
}

// DimensionSegments are the members of one dimension. If More is true, there are others.
type DimensionSegments struct {
	Dimension string
	Members   []Segment
	More      bool
}

// Segment is one member: how it prints, the condition that selects it ("" where
// none can), and its numbers.
type Segment struct {
	Text      string
	Null      bool // the member without a value
	DrillDown string
	SegmentNumbers
}

// DenominatorError reports that a ratio's total denominator is not above zero in
// one of the windows, so that its segments have no shares.
type DenominatorError struct {
	Metric string
	Total  ValuePair
}

// Error names the windows and what the denominator is there.
func (e *DenominatorError) Error() string {
	if e.Total.Baseline > 0 {
		return "the denominator of " + e.Metric + " is empty, zero or negative in the current window"
	}
	if e.Total.Current > 0 {
		return "the denominator of " + e.Metric + " is empty, zero or negative in the baseline window"
	}
	return "the denominator of " + e.Metric + " is empty, zero or negative in both windows"
}

// Decompose computes the report, except the parts that only the caller has: breakdowns,
// metadata and the warnings about windows. The error is a *DenominatorError.
func Decompose(in DecompositionInput) (*Report, error) {
	r := &Report{
		Metric:             in.Metric,
		Strategy:           in.Formula.Strategy,
		UnsupportedReason:  in.Reason,
		DimensionRanking:   []DimensionRank{},
		SelectedDimensions: []string{},
		TopDimensionValues: []SegmentValue{},
		PerDimension:       map[string]DimensionReport{},
		Warnings:           []Warning{},
	}
	method, err := newDecompositionMethod(in)
	if err != nil {
		return nil, err
	}
	total := method.totalOfMetric()
	r.TotalChange = newChangeWithPercent(total)
	r.Factors = method.factors()
	if k := in.Formula.Sum.Const; in.Formula.Strategy == TermWiseStrategy && k != 0 {
		r.AffineConstant = newOptionalNumber(k)
	}
	if !math.IsNaN(total.Delta()) && isWithinRoundingError(total.Delta(), total.combinedSize()) {
		r.addWarning(WarnZeroTotalDelta, "", "the metric is the same in both windows, so that segments have no percentage of its change")
	}
	results := make([]dimensionResult, len(in.Dimensions))
	for i, d := range in.Dimensions {
		results[i] = r.decomposeDimension(method, in, d, total)
	}
	slices.SortStableFunc(results, func(a, b dimensionResult) int { return cmp.Compare(b.largest, a.largest) })
	if len(results) > 0 {
		r.FactorTotals = method.factorTotals(results[0].values)
	}
	r.rankDimensions(results, in)
	return r, nil
}

// dimensionResult is one dimension before it is ranked.
type dimensionResult struct {
	name    string
	largest float64 // |delta| of any segment
	values  []SegmentValue
}

// decomposeDimension decomposes one dimension into the report.
func (r *Report) decomposeDimension(m decompositionMethod, in DecompositionInput, d DimensionSegments, total ValuePair) dimensionResult {
	members, cut := keepLargestSegments(m, d.Members, in.MaxValues)
	out := DimensionReport{
		Values:      make([]SegmentValue, len(members)),
		NonAdditive: in.Formula.Strategy == UnsupportedStrategy,
		Truncated:   cut || d.More,
	}
	scale := total.Delta()
	if isWithinRoundingError(scale, total.combinedSize()) || out.NonAdditive {
		scale = math.NaN()
	}
	res := dimensionResult{name: d.Dimension}
	for i, s := range members {
		v := m.decomposedSegmentValue(s.SegmentNumbers)
		v.Dimension, v.Value, v.Null = d.Dimension, s.Text, s.Null
		v.ContributionPct = newOptionalNumber(100 * float64(v.Delta) / scale)
		if s.DrillDown != "" {
			v.DrillDown = &DrillDownCondition{WhereSQL: s.DrillDown}
		}
		out.Values[i] = v
		if size := math.Abs(float64(v.Delta)); size > res.largest {
			res.largest = size
		}
	}
	slices.SortStableFunc(out.Values, compareByChange)
	res.values = out.Values
	if len(members) > 0 {
		out.Score = newOptionalNumber(res.largest / math.Abs(scale))
	}
	if out.NonAdditive {
		r.addWarning(WarnNonAdditiveDimension, d.Dimension, "the values of "+d.Dimension+" do not add up to the metric, so they have no part in its change")
	}
	if out.Truncated {
		r.addWarning(WarnTruncated, d.Dimension, "only the values of "+d.Dimension+" with the largest combined weight are shown")
	} else if rec := m.compareSegmentSumWithTotals(members); rec != nil {
		out.Reconciliation = rec
		if !rec.Passed {
			r.addWarning(WarnReconciliation, d.Dimension, "the values of "+d.Dimension+" do not add up to the total: an inner join drops rows, or the data changed between the queries")
		}
	}
	r.PerDimension[d.Dimension] = out
	return res
}

// keepLargestSegments bounds the members to those of the largest combined weight.
func keepLargestSegments(m decompositionMethod, members []Segment, most int) (kept []Segment, cut bool) {
	if len(members) <= most {
		return members, false
	}
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b Segment) int {
		return cmp.Compare(m.segmentSize(b.SegmentNumbers), m.segmentSize(a.SegmentNumbers))
	})
	return sorted[:most], true
}

// compareByChange orders values by the size of their change, then by name; a value
// without a change comes last.
func compareByChange(a, b SegmentValue) int {
	x, y := math.Abs(float64(a.Delta)), math.Abs(float64(b.Delta))
	if math.IsNaN(x) || math.IsNaN(y) {
		x, y = boolToFloat(!math.IsNaN(x)), boolToFloat(!math.IsNaN(y))
	}
	if c := cmp.Compare(y, x); c != 0 {
		return c
	}
	return cmp.Compare(a.Value, b.Value)
}

func boolToFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// rankDimensions fills in what concerns all dimensions together.
func (r *Report) rankDimensions(results []dimensionResult, in DecompositionInput) {
	var top []SegmentValue
	for i, res := range results {
		d := r.PerDimension[res.name]
		r.DimensionRanking = append(r.DimensionRanking, DimensionRank{res.name, d.Score, d.NonAdditive, d.Truncated})
		if i < in.TopDimensions {
			r.SelectedDimensions = append(r.SelectedDimensions, res.name)
			top = append(top, res.values...)
		}
	}
	slices.SortStableFunc(top, compareByChange)
	r.TopDimensionValues = append(r.TopDimensionValues, top[:min(len(top), in.TopValues)]...)
}

func (r *Report) addWarning(code, dimension, message string) {
	r.Warnings = append(r.Warnings, Warning{Code: code, Message: message, Dimension: dimension})
}

// isWithinRoundingError reports whether x is rounding beside numbers of a size.
func isWithinRoundingError(x, size float64) bool { return math.Abs(x) <= 1e-12*size }
