package attribution

import (
	"cmp"
	"math"
	"slices"
)

// Input is what a decomposition is made from.
type Input struct {
	Metric  string
	Formula Formula
	Reason  *Reason // why the formula is Unsupported
	Leaves  []Leaf
	Totals  Sample
	// Dimensions in the order of the request, and how much of them to keep.
	Dimensions                          []Segments
	MaxValues, TopDimensions, TopValues int
}

// Leaf is one measure. If Counts is true, it is 0, not missing, over no rows.
type Leaf struct {
	Name   string
	Counts bool
}

// Sample is the numbers of one segment, or of the whole: of each measure and,
// for an Unsupported formula, of the metric itself.
type Sample struct {
	Leaves []Pair
	Value  Pair
}

// Segments are the members of one dimension. If More is true, there are others.
type Segments struct {
	Dimension string
	Members   []Segment
	More      bool
}

// Segment is one member: how it prints, the condition that selects it ("" where
// none can), and its numbers.
type Segment struct {
	Text      string
	DrillDown string
	Sample
}

// DenominatorError reports that a ratio's total denominator is not above zero in
// one of the windows, so that its segments have no shares.
type DenominatorError struct {
	Metric string
	Total  Pair
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
func Decompose(in Input) (*Report, error) {
	r := &Report{
		Metric:             in.Metric,
		Strategy:           in.Formula.Strategy,
		UnsupportedReason:  in.Reason,
		DimensionRanking:   []Rank{},
		SelectedDimensions: []string{},
		TopDimensionValues: []Value{},
		PerDimension:       map[string]Dimension{},
		Warnings:           []Warning{},
	}
	method, err := newMethod(in)
	if err != nil {
		return nil, err
	}
	total := method.total()
	r.TotalChange = newChange(total)
	r.Factors = method.factors()
	if k := in.Formula.Sum.Const; in.Formula.Strategy == TermWise && k != 0 {
		r.AffineConstant = optionalNumber(k)
	}
	if !math.IsNaN(total.Delta()) && isNegligible(total.Delta(), total.weight()) {
		r.warn(WarnZeroTotalDelta, "", "the metric is the same in both windows, so that segments have no percentage of its change")
	}
	results := make([]result, len(in.Dimensions))
	for i, d := range in.Dimensions {
		results[i] = r.dimension(method, in, d, total)
	}
	slices.SortStableFunc(results, func(a, b result) int { return cmp.Compare(b.largest, a.largest) })
	if len(results) > 0 {
		r.FactorTotals = method.factorTotals(results[0].values)
	}
	r.rank(results, in)
	return r, nil
}

// result is one dimension before it is ranked.
type result struct {
	name    string
	largest float64 // |delta| of any segment
	values  []Value
}

// dimension decomposes one dimension into the report.
func (r *Report) dimension(m method, in Input, d Segments, total Pair) result {
	members, cut := largestMembers(m, d.Members, in.MaxValues)
	out := Dimension{
		Values:      make([]Value, len(members)),
		NonAdditive: in.Formula.Strategy == Unsupported,
		Truncated:   cut || d.More,
	}
	scale := total.Delta()
	if isNegligible(scale, total.weight()) || out.NonAdditive {
		scale = math.NaN()
	}
	res := result{name: d.Dimension}
	for i, s := range members {
		v := m.value(s.Sample)
		v.Dimension, v.Value = d.Dimension, s.Text
		v.ContributionPct = optionalNumber(100 * float64(v.Delta) / scale)
		if s.DrillDown != "" {
			v.DrillDown = &DrillDown{WhereSQL: s.DrillDown}
		}
		out.Values[i] = v
		if size := math.Abs(float64(v.Delta)); size > res.largest {
			res.largest = size
		}
	}
	slices.SortStableFunc(out.Values, compareChange)
	res.values = out.Values
	if len(members) > 0 {
		out.Score = optionalNumber(res.largest / math.Abs(scale))
	}
	if out.NonAdditive {
		r.warn(WarnNonAdditive, d.Dimension, "the values of "+d.Dimension+" do not add up to the metric, so they have no part in its change")
	}
	if out.Truncated {
		r.warn(WarnTruncated, d.Dimension, "only the values of "+d.Dimension+" with the largest combined weight are shown")
	} else if rec := m.reconcile(members); rec != nil {
		out.Reconciliation = rec
		if !rec.Passed {
			r.warn(WarnReconciliation, d.Dimension, "the values of "+d.Dimension+" do not add up to the total: an inner join drops rows, or the data changed between the queries")
		}
	}
	r.PerDimension[d.Dimension] = out
	return res
}

// largestMembers bounds the members to those of the largest combined weight.
func largestMembers(m method, members []Segment, most int) (kept []Segment, cut bool) {
	if len(members) <= most {
		return members, false
	}
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b Segment) int { return cmp.Compare(m.weight(b.Sample), m.weight(a.Sample)) })
	return sorted[:most], true
}

// compareChange orders values by the size of their change, then by name; a value
// without a change comes last.
func compareChange(a, b Value) int {
	x, y := math.Abs(float64(a.Delta)), math.Abs(float64(b.Delta))
	if math.IsNaN(x) || math.IsNaN(y) {
		x, y = boolNumber(!math.IsNaN(x)), boolNumber(!math.IsNaN(y))
	}
	if c := cmp.Compare(y, x); c != 0 {
		return c
	}
	return cmp.Compare(a.Value, b.Value)
}

func boolNumber(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// rank fills in what concerns all dimensions together.
func (r *Report) rank(results []result, in Input) {
	var top []Value
	for i, res := range results {
		d := r.PerDimension[res.name]
		r.DimensionRanking = append(r.DimensionRanking, Rank{res.name, d.Score, d.NonAdditive, d.Truncated})
		if i < in.TopDimensions {
			r.SelectedDimensions = append(r.SelectedDimensions, res.name)
			top = append(top, res.values...)
		}
	}
	slices.SortStableFunc(top, compareChange)
	r.TopDimensionValues = append(r.TopDimensionValues, top[:min(len(top), in.TopValues)]...)
}

func (r *Report) warn(code, dimension, message string) {
	r.Warnings = append(r.Warnings, Warning{Code: code, Message: message, Dimension: dimension})
}

// isNegligible reports whether x is rounding beside numbers of a size.
func isNegligible(x, size float64) bool { return math.Abs(x) <= 1e-12*size }
