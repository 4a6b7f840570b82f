package attribute

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/metric"
)

// leaf is one additive measure of the metric, its filters folded in. Set is
// the index of the pair of ranges that it is read in: 0 is the windows themselves.
type leaf struct {
	name    string
	measure *catalog.Measure
	where   sqlexpr.Expr
	axis    *catalog.Field
	set     int
}

// analysis is what kind of arithmetic the metric is, and over which measures.
type analysis struct {
	formula attribution.Formula
	reason  *attribution.Reason // why there are no contributions
	leaves  []leaf
	window  *attribution.WindowMapping
	last    *lastBucket // where the value is that of a window's last bucket
	params  map[string]any
}

// analyzeMetric finds out what kind of arithmetic the metric is, and over which
// measures; and what the queries read, which a window metric changes.
func (f querySet) analyzeMetric() (querySet, analysis, error) {
	s, err := f.scratch()
	if err != nil {
		return f, analysis{}, err
	}
	params, err := f.describeParams(s.bound)
	if err != nil {
		return f, analysis{}, err
	}
	if len(f.metric.Windowed(f.target.Dialect)) > 0 {
		return f.analyzeWindow(s, params)
	}
	expr, err := s.x.Value(f.metric, f.evalContext(s.bound))
	if err != nil {
		return f, analysis{}, err
	}
	read := f.classify(s, expr, func(id int) (*metric.MeasureRef, int) { return s.x.MeasureRefs()[id], 0 })
	read.params = params
	return f, read, nil
}

// describeParams lists the values of the parameters that the attribution depends
// on, bound or by default.
func (f querySet) describeParams(bound metric.Bindings) (map[string]any, error) {
	out := map[string]any{}
	for _, p := range f.declared {
		v, known, err := bound.FirstValue(p)
		if err != nil {
			return nil, err
		}
		if known {
			out[p.Name] = v.JSON
		}
	}
	return out, nil
}

// classify sorts the metric's arithmetic into one of the strategies. use gives
// the measure that a reference of the expression names and the ranges that
// it is read in.
func (r *request) classify(s boundMetric, expr sqlexpr.Expr, use func(id int) (*metric.MeasureRef, int)) analysis {
	c := leafTable{index: map[leafKey]int{}, names: metric.NewNamer()}
	formula := attribution.Classify(expr, func(id int) attribution.Operand {
		u, set := use(id)
		switch u.Measure.Agg {
		case catalog.AggSum, catalog.AggCount:
			return attribution.Operand{Kind: attribution.Additive, Leaf: c.add(u.Measure, u, set)}
		case catalog.AggAvg:
			return attribution.Operand{
				Kind: attribution.Average,
				Leaf: c.add(averageOperand(r.cat, u.Measure, catalog.AggSum), u, set),
				Over: c.add(averageOperand(r.cat, u.Measure, catalog.AggCount), u, set),
			}
		}
		return attribution.Operand{}
	})
	if formula.Strategy == attribution.Unsupported {
		return analysis{formula: formula, reason: reasonOf(s.x.MeasureRefs(), r.metric)}
	}
	return analysis{formula: formula, leaves: c.leaves}
}

// leafTable holds each leaf once.
type leafTable struct {
	leaves []leaf
	index  map[leafKey]int
	names  *metric.Namer
}

type leafKey struct {
	home  *catalog.Dataset
	agg   catalog.Agg
	arg   string // "*" for none
	where string
	axis  *catalog.Field
	set   int
}

func (c *leafTable) add(m *catalog.Measure, u *metric.MeasureRef, set int) int {
	k := leafKey{home: m.Home, agg: m.Agg, axis: u.Axis, set: set, where: u.WhereKey, arg: "*"}
	if m.Arg != nil {
		k.arg = sqlexpr.Format(m.Arg)
	}
	if i, ok := c.index[k]; ok {
		return i
	}
	c.index[k] = len(c.leaves)
	c.leaves = append(c.leaves, leaf{name: c.names.UniqueName(m.Name), measure: m, where: u.Where, axis: u.Axis, set: set})
	return c.index[k]
}

// averageOperand is the sum or the count that an average is made of.
func averageOperand(cat *catalog.Catalog, avg *catalog.Measure, agg catalog.Agg) *catalog.Measure {
	m := *avg
	m.Agg = agg
	m.Name = avg.Home.Name
	sqlexpr.Walk(avg.Arg, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok {
			m.Name += "_" + cat.Fields[r.ID].Name
		}
		return true
	})
	m.Name += "_" + agg.String()
	m.Type = sqlexpr.TypeInt
	if agg == catalog.AggSum {
		m.Type = sqlexpr.TypeOf(avg.Arg, func(x sqlexpr.Expr) sqlexpr.Type {
			if r, ok := x.(*sqlexpr.Ref); ok {
				return cat.Fields[r.ID].Type
			}
			return sqlexpr.TypeUnknown
		})
		if !m.Type.IsNumeric() {
			m.Type = sqlexpr.TypeUnknown
		}
	}
	return &m
}

// reasonOf returns why a metric's change has no contributions: a measure that does
// not add up, else arithmetic of an unknown kind.
func reasonOf(uses []*metric.MeasureRef, m *catalog.Metric) *attribution.Reason {
	for _, u := range uses {
		agg, distinct := u.Measure.Agg.String(), false
		switch u.Measure.Agg {
		case catalog.AggCountDistinct:
			agg, distinct = catalog.AggCount.String(), true
		case catalog.AggMin, catalog.AggMax:
		default:
			continue
		}
		return &attribution.Reason{
			Code:     attribution.ReasonNonSumTier,
			Message:  u.Measure.Name + " of one value does not add up with that of another, so a change of " + m.Name + " cannot be split between them",
			Measure:  u.Measure.Name,
			Agg:      agg,
			Distinct: distinct,
		}
	}
	return &attribution.Reason{
		Code:    attribution.ReasonNonLinear,
		Message: m.Name + " is not a sum, a ratio or a product of sums and counts, so a change of it cannot be split between values",
	}
}

func windowTag(set, side int) int { return 2*set + side }

func columnName(i int) string { return "v" + strconv.Itoa(i) }
