package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/table"
	attributed "github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/query"
)

// attribution is the body of an attribution.
type attribution struct {
	Metric        string          `json:"metric"`
	Dimensions    []string        `json:"dimensions"`
	Baseline      query.TimeRange `json:"baseline"`
	Current       query.TimeRange `json:"current"`
	WhereSQL      string          `json:"where_sql,omitempty"`
	TimeDimension string          `json:"time_dimension,omitempty"`
}

// addAttributable adds sums, ratios and products of a few sums and counts.
func (r *maker) addAttributable() {
	sums := slices.DeleteFunc(r.plain(), func(x *metric) bool {
		return x.value == tolerant || x.base.function != "SUM" && x.base.function != "COUNT"
	})
	for range 4 {
		of := some(r, sums, 3)
		if len(of) < 3 {
			return
		}
		a, b, c := of[0].expr, of[1].expr, of[2].expr
		for _, form := range []struct {
			expr  string
			homes []*metric
		}{
			{fmt.Sprintf("2 * %s - %s / 4", a, b), of[:2]},
			{fmt.Sprintf("%s / NULLIF(%s, 0)", a, b), of[:2]},
			{fmt.Sprintf("100 * (%s - %s) / %s", a, b, c), of},
			{fmt.Sprintf("%s * %s", a, b), of[:2]},
			{fmt.Sprintf("-1.5 * %s * (%s + %s)", a, b, c), of},
		} {
			r.add(&metric{name: "attributable", expr: form.expr, homes: homesOf(form.homes), number: true})
		}
	}
}

func (r *maker) attribution() attribution {
	metrics := r.m.metrics
	if r.chance(60) {
		metrics = slices.DeleteFunc(slices.Clone(metrics), func(x *metric) bool { return !strings.HasPrefix(x.name, "attributable") })
	}
	if len(metrics) == 0 {
		metrics = r.m.metrics
	}
	x := pick(r, metrics)
	q := attribution{Metric: x.name, Dimensions: []string{}}
	safe := slices.DeleteFunc(r.places(x.homes), func(p place) bool { return !p.safe })
	for _, p := range some(r, safe, 2) {
		q.Dimensions = append(q.Dimensions, p.ref)
	}
	for _, p := range some(r, safe, len(safe)) {
		if p.field.isTime() && r.chance(40) {
			q.TimeDimension = p.ref
		}
	}
	for _, w := range []*query.TimeRange{&q.Baseline, &q.Current} {
		for w.Start == "" || w.End == "" || w.Start >= w.End {
			*w = r.someRange(nil)
		}
	}
	if r.chance(30) {
		q.WhereSQL = r.condition(x.homes[0])
	}
	return q
}

// refusable are the codes that a random attribution may rightly end with.
var refusable = []string{
	"dimensions_required", "denominator_nonpositive", "ambiguous_join_path", "no_join_path", "fan_out_risk", "no_primary_time_dimension",
	"unconformed_dimension", "param_out_of_domain", "window_exclude_not_grouped", "unknown_dimension", "not_implemented", "grain_too_fine",
	"unsupported_filter", "window_reset_too_fine", "duplicate_output_name",
}

// TestAttribution_AddsUp holds attributions of random metrics against the metric
// plane: their totals are the metric's values, their segments add up to the
// change, and drilling into a segment finds its values.
func TestAttribution_AddsUp(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	strategies := map[string]int{}
	for asked := 0; asked < queries/8; seed++ {
		r := newMaker(seed)
		m := r.model()
		r.addAttributable()
		s, err := open(t.Context(), m)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v", seed, err)
		}
		for range 25 {
			asked++
			q := r.attribution()
			strategy, err := s.checkAttribution(t.Context(), q)
			if err != nil {
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d\n%v", seed, err)
			}
			strategies[strategy]++
		}
		s.close()
	}
	for _, strategy := range []string{"term_wise", "mix_shift", "factor_shapley", "unsupported", "refused"} {
		t.Attr(strategy, strconv.Itoa(strategies[strategy]))
	}
	for _, want := range []string{"term_wise", "mix_shift", "factor_shapley", "unsupported"} {
		if queries >= defaultQueries && strategies[want] == 0 {
			t.Errorf("none of the attributions was %s", want)
		}
	}
}

func (s *subject) attribute(ctx context.Context, q attribution) (*engine.Attribution, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	decoded, err := query.DecodeAttribute(body)
	if err != nil {
		return nil, err
	}
	return s.engine.Attribute(ctx, decoded)
}

func (s *subject) checkAttribution(ctx context.Context, q attribution) (strategy string, err error) {
	body, _ := json.Marshal(q)
	r, err := s.attribute(ctx, q)
	if err != nil {
		code := codeOf(err)
		if slices.Contains(refusable, code) {
			return code, nil
		}
		return code, fmt.Errorf("%s\n%w", body, err)
	}
	strategy = string(r.Strategy)
	fail := func(format string, args ...any) (string, error) {
		return strategy, fmt.Errorf("%s\n%s: %s", body, strategy, fmt.Sprintf(format, args...))
	}
	if r.WindowMapping == nil {
		want, err := s.totals(ctx, q)
		if err != nil {
			return fail("%v", err)
		}
		for i, got := range []float64{float64(r.TotalChange.BaselineValue), float64(r.TotalChange.CurrentValue)} {
			if !equalTotals(got, want[i]) {
				return fail("total %d is %v, the metric plane says %v", i, got, want[i])
			}
		}
	}
	for name, d := range r.PerDimension {
		if strategy == "unsupported" {
			continue
		}
		if d.Truncated || d.Reconciliation == nil {
			return fail("%s: %+v", name, d)
		}
		if !d.Reconciliation.Passed {
			continue // an inner relationship drops rows, which the warning reports
		}
		sum, size := 0.0, math.Abs(float64(r.TotalChange.BaselineValue))+math.Abs(float64(r.TotalChange.CurrentValue))
		for _, v := range d.Values {
			sum += float64(v.Delta)
			size += math.Abs(float64(v.BaselineValue)) + math.Abs(float64(v.CurrentValue))
		}
		if math.Abs(sum-float64(r.TotalChange.Delta)) > 1e-9*math.Max(1, size) {
			return fail("the values of %s change by %v, the metric by %v", name, sum, r.TotalChange.Delta)
		}
	}
	if err := s.checkSegments(ctx, q, r); err != nil {
		return fail("%v", err)
	}
	return strategy, s.checkDrillDown(ctx, q, r)
}

// checkSegments asks the metric plane for the metric by each dimension in both
// windows: where a group has a value there, the segment has the same one. For a
// shift of the mix that value is the segment's rate.
func (s *subject) checkSegments(ctx context.Context, q attribution, r *engine.Attribution) error {
	if r.WindowMapping != nil {
		return nil // the windows are read in another way
	}
	for name, d := range r.PerDimension {
		by := question{Metrics: []string{q.Metric}, WhereSQL: q.WhereSQL, GroupBy: []query.GroupBy{{Field: name}}, TimeRanges: q.windows()}
		direct, _, err := s.answer(ctx, by.json())
		if err != nil {
			return fmt.Errorf("by %s: %w", name, err)
		}
		segments := map[string]attributed.SegmentValue{}
		for _, v := range d.Values {
			key := v.Value
			// Without a drill-down nothing distinguishes NULL from the text "(null)", which
			// no row of these models has.
			if v.DrillDown == nil && key == "(null)" || v.DrillDown != nil && strings.HasSuffix(v.DrillDown.WhereSQL, " IS NULL") {
				key = table.NullMark
			}
			segments[memberKey(key)] = v
		}
		for _, row := range direct.Rows {
			v, ok := segments[memberKey(row[0].String())]
			sides := [2]float64{float64(v.BaselineValue), float64(v.CurrentValue)}
			hasRows := [2]bool{ok, ok}
			if r.Strategy == "mix_shift" {
				sides = [2]float64{orNaN(v.BaselineRate), orNaN(v.CurrentRate)}
				hasRows = [2]bool{v.BaselineRate != nil, v.CurrentRate != nil}
			}
			for i, side := range sides {
				want := row[1+i]
				if want.Kind != table.CellKindNumber || !hasRows[i] && numberOf(want) == 0 { // COALESCE shows nothing as 0
					continue
				}
				if !ok || !equalTotals(side, numberOf(want)) {
					return fmt.Errorf("%s of %s is %v in window %d, the metric plane says %s", row[0], name, side, i, want)
				}
			}
		}
	}
	return nil
}

// memberKey writes a member as it is compared: numbers by value.
func memberKey(text string) string {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(n+0, 'g', -1, 64) // zero has no sign
	}
	return text
}

func orNaN(n *attributed.NullableFloat) float64 {
	if n == nil {
		return math.NaN()
	}
	return float64(*n)
}

func numberOf(c table.Cell) float64 {
	n, err := strconv.ParseFloat(c.Text, 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// windows returns the two windows as ranges of a metric query.
func (q attribution) windows() map[string]query.TimeRange {
	out := map[string]query.TimeRange{"a": q.Baseline, "b": q.Current}
	for tag, t := range out {
		if t.Dimension = "metric_time"; q.TimeDimension != "" {
			t.Dimension = q.TimeDimension
		}
		out[tag] = t
	}
	return out
}

// equalTotals compares with the metric plane, where one sum over nothing makes the
// whole NULL; an attribution counts it as 0.
func equalTotals(got, want float64) bool {
	return math.IsNaN(want) || math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))
}

// totals asks the metric plane for the metric in both windows.
func (s *subject) totals(ctx context.Context, q attribution) ([2]float64, error) {
	question := question{Metrics: []string{q.Metric}, WhereSQL: q.WhereSQL, TimeRanges: q.windows()}
	t, _, err := s.answer(ctx, question.json())
	if err != nil {
		return [2]float64{}, err
	}
	out := [2]float64{math.NaN(), math.NaN()}
	for i, name := range t.Columns {
		side := map[string]int{q.Metric + "__a": 0, q.Metric + "__b": 1}
		at, ok := side[name]
		if !ok || len(t.Rows) != 1 {
			return out, errors.New("an answer of another shape")
		}
		if c := t.Rows[0][i]; c.Kind == table.CellKindNumber {
			if _, err := fmt.Sscan(c.Text, &out[at]); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// checkDrillDown follows one drill-down of each dimension: it compiles, and
// where values are plain sums, the narrowed metric has them.
func (s *subject) checkDrillDown(ctx context.Context, q attribution, r *engine.Attribution) error {
	for name, d := range r.PerDimension {
		for i, v := range d.Values {
			if i > 1 || v.DrillDown == nil {
				break
			}
			narrowed := q
			narrowed.WhereSQL = v.DrillDown.WhereSQL
			narrowed.Dimensions = []string{name}
			got, err := s.attribute(ctx, narrowed)
			if code := codeOf(err); code == "denominator_nonpositive" {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s drills down to %s: %w", v.Value, v.DrillDown.WhereSQL, err)
			}
			if r.Strategy != "term_wise" || r.AffineConstant != nil {
				continue
			}
			for _, p := range [][2]float64{
				{float64(v.BaselineValue), float64(got.TotalChange.BaselineValue)},
				{float64(v.CurrentValue), float64(got.TotalChange.CurrentValue)},
			} {
				if math.Abs(p[0]-p[1]) > 1e-9*math.Max(1, math.Abs(p[0])) {
					return fmt.Errorf("%s of %s is %v, its drill-down %s has %v", v.Value, name, p[0], v.DrillDown.WhereSQL, p[1])
				}
			}
		}
	}
	return nil
}
