package attribute

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// leafMeasure is one additive measure of the metric, its filters folded in. Set is
// the index of the pair of ranges that it is read in: 0 is the windows themselves.
type leafMeasure struct {
	name    string
	measure *catalog.Measure
	where   sqlexpr.Expr
	axis    *catalog.Field
	set     int
}

// metricArithmetic is what kind of arithmetic the metric is, and over which measures.
type metricArithmetic struct {
	formula attribution.MetricFormula
	reason  *attribution.UnsupportedReason // why there are no contributions
	leaves  []leafMeasure
	window  *attribution.WindowMapping
	last    *lastBucket // where the value is that of a window's last bucket
	params  map[string]any
}

// analyzeMetricArithmetic finds out what kind of arithmetic the metric is, and over which
// measures; and what the queries read, which a window metric changes.
func (f querySetBuilder) analyzeMetricArithmetic() (querySetBuilder, metricArithmetic, error) {
	s, err := f.windows.request.newMetricWithBoundParams()
	if err != nil {
		return f, metricArithmetic{}, err
	}
	params, err := f.listParamValues(s.bound)
	if err != nil {
		return f, metricArithmetic{}, err
	}
	if len(f.windows.request.metric.WindowedMetrics(f.windows.request.target.Dialect)) > 0 {
		return f.analyzeWindowMetric(s, params)
	}
	expr, err := s.x.MetricValue(f.windows.request.metric, f.windows.request.newMetricExpansionContext(s.bound))
	if err != nil {
		return f, metricArithmetic{}, err
	}
	read := f.windows.request.classifyArithmetic(s, expr, func(id int) (*measure.Ref, int) { return s.x.MeasureRefs()[id], 0 })
	read.params = params
	return f, read, nil
}

// listParamValues lists the values of the parameters that the attribution depends
// on, bound or by default.
func (f querySetBuilder) listParamValues(bound scope.Bindings) (map[string]any, error) {
	out := map[string]any{}
	for _, p := range f.declared {
		v, known, err := bound.FirstBoundOrDefaultValue(p)
		if err != nil {
			return nil, err
		}
		if known {
			out[p.Name] = v.JSON
		}
	}
	return out, nil
}

// classifyArithmetic sorts the metric's arithmetic into one of the strategies. use gives
// the measure that a reference of the expression names and the ranges that
// it is read in.
func (r *attributionRequest) classifyArithmetic(s metricWithBoundParams, expr sqlexpr.Expr, use func(id int) (*measure.Ref, int)) metricArithmetic {
	c := uniqueLeafMeasures{index: map[leafMeasureKey]int{}, names: naming.NewNamer()}
	formula := attribution.ClassifyArithmetic(expr, func(id int) attribution.Operand {
		u, set := use(id)
		switch agg := u.Measure.Agg; {
		case u.Level != nil: // the values of other groups
		case addsUpOutsideTime(u.Measure):
			return attribution.Operand{Kind: attribution.AdditiveOperand, Leaf: c.addLeaf(u.Measure, u, set)}
		case !u.Measure.IsSemiAdditive() && agg.Decomposition() == catalog.DecomposedAverage:
			return attribution.Operand{
				Kind: attribution.AverageOperand,
				Leaf: c.addLeaf(aggregates.SumOrCountOfAverage(r.cat, u.Measure, catalog.AggSum), u, set),
				Over: c.addLeaf(aggregates.SumOrCountOfAverage(r.cat, u.Measure, catalog.AggCount), u, set),
			}
		}
		return attribution.Operand{}
	})
	if formula.Strategy == attribution.UnsupportedStrategy {
		return metricArithmetic{formula: formula, reason: reasonOfUnsupportedMetric(s.x.MeasureRefs(), r.metric)}
	}
	return metricArithmetic{formula: formula, leaves: c.leaves}
}

// addsUpOutsideTime reports whether the values of a measure add up over every dimension but time. The snapshot of a stock is
// that of the whole window for all values of a dimension.
func addsUpOutsideTime(m *catalog.Measure) bool {
	return m.Agg.Additive() && (!m.IsSemiAdditive() || m.NonAdditive.Take.SelectsOneSnapshot())
}

// isOfStocks reports whether the change is one between snapshots, in which the length of the windows has no part.
func (m metricArithmetic) isOfStocks() bool {
	return len(m.leaves) > 0 && !slices.ContainsFunc(m.leaves, func(l leafMeasure) bool { return !l.measure.IsSemiAdditive() })
}

// isSnapshotTime reports whether a field is the time of the snapshots of a leaf, over which it does not add up.
func (m metricArithmetic) isSnapshotTime(f *catalog.Field) bool {
	return slices.ContainsFunc(m.leaves, func(l leafMeasure) bool { return l.measure.IsSemiAdditive() && l.measure.NonAdditive.By == f })
}

// uniqueLeafMeasures holds each leaf once.
type uniqueLeafMeasures struct {
	leaves []leafMeasure
	index  map[leafMeasureKey]int
	names  *naming.Namer
}

type leafMeasureKey struct {
	home  *catalog.Dataset
	agg   catalog.Agg
	arg   string // "*" for none
	where string
	axis  *catalog.Field
	// snapshots are those of a stock.
	snapshots *catalog.SemiAdditiveRule
	set       int
}

func (c *uniqueLeafMeasures) addLeaf(m *catalog.Measure, u *measure.Ref, set int) int {
	k := leafMeasureKey{home: m.Home, agg: m.Agg, axis: u.Axis, set: set, where: u.WhereKey, snapshots: m.NonAdditive, arg: "*"}
	if m.Arg != nil {
		k.arg = sqlexpr.Format(m.Arg)
	}
	if i, ok := c.index[k]; ok {
		return i
	}
	c.index[k] = len(c.leaves)
	c.leaves = append(c.leaves, leafMeasure{name: c.names.UniqueName(m.Name), measure: m, where: u.Where, axis: u.Axis, set: set})
	return c.index[k]
}

// reasonOfUnsupportedMetric returns why a metric's change has no contributions: a measure that does
// not add up, else arithmetic of an unknown kind.
func reasonOfUnsupportedMetric(uses []*measure.Ref, m *catalog.Metric) *attribution.UnsupportedReason {
	for _, u := range uses {
		switch {
		case u.Level != nil:
			return &attribution.UnsupportedReason{
				Code:    attribution.ReasonNonLinear,
				Message: m.Name + " is computed at another level than the groups of a query, so a change of it cannot be split between values",
			}
		case addsUpOutsideTime(u.Measure), !u.Measure.IsSemiAdditive() && u.Measure.Agg.Decomposition() == catalog.DecomposedAverage:
			continue
		}
		call := u.Measure.AggregateCall(nil, nil)
		return &attribution.UnsupportedReason{
			Code:     attribution.ReasonNonAdditiveMeasure,
			Message:  u.Measure.Name + " of one value does not add up with that of another, so a change of " + m.Name + " cannot be split between them",
			Measure:  u.Measure.Name,
			Agg:      strings.ToLower(call.Name.Text),
			Distinct: call.Distinct,
		}
	}
	return &attribution.UnsupportedReason{
		Code:    attribution.ReasonNonLinear,
		Message: m.Name + " is not a sum, a ratio or a product of sums and counts, so a change of it cannot be split between values",
	}
}

func windowRangeIndex(set, side int) int { return 2*set + side }

func valueColumnName(i int) string { return "v" + strconv.Itoa(i) }
