package planner

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/query"
)

// leaf is one additive measure of the metric, its filters folded in. Set says
// which pair of ranges it is read in: 0 are the windows themselves.
type leaf struct {
	name    string
	measure *catalog.Measure
	where   sqlexpr.Expr
	axis    *catalog.Field
	set     int
}

// env is what a metric's value depends on in an attribution: the bound
// parameters, no tag.
func (a *attributing) env(b *build) env {
	return env{params: make(boundParams, len(b.bindings)), tag: -1, owner: a.metric.Name}
}

// analyse finds out what kind of arithmetic the metric is, and over which
// measures.
func (a *attributing) analyse() error {
	b, err := a.scratch()
	if err != nil {
		return err
	}
	if err := a.describeParams(b); err != nil {
		return err
	}
	if len(a.metric.Windowed(a.target.Dialect)) > 0 {
		return a.analyseWindow(b)
	}
	expr, err := b.value(a.metric, a.env(b))
	if err != nil {
		return err
	}
	a.classify(b, expr, func(id int) (*use, int) { return b.uses[id], 0 })
	return nil
}

// scratch is a build that resolves the metric and its parameters, and no more.
func (a *attributing) scratch() (*build, error) {
	b := &build{cat: a.planner.cat, target: a.target, q: &query.MetricQuery{Metrics: []string{a.metric.Name}, Params: a.q.Params}}
	b.values, b.useIndex = map[valueKey]sqlexpr.Expr{}, map[useKey]int{}
	for _, phase := range []func() error{b.selectMetrics, b.bindParams} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// describeParams notes the values of the parameters that the attribution depends
// on, bound or by default.
func (a *attributing) describeParams(b *build) error {
	for _, p := range a.declared {
		v, known := params.Example(p)
		known = known && p.Default != nil
		if i := b.bindingOf(p.Name); i >= 0 {
			v, known = b.bindings[i].Values[0], true
		}
		if !known {
			continue
		}
		read, why := params.Read(p, v)
		if why != "" {
			return b.outOfDomain(p, why)
		}
		a.out.compared.Params[p.Name] = read.JSON
	}
	return nil
}

// classify sorts the metric's arithmetic into one of the strategies. use gives
// the measure that a reference of the expression stands for and the ranges that
// it is read in.
func (a *attributing) classify(b *build, expr sqlexpr.Expr, use func(id int) (*use, int)) {
	c := leafTable{index: map[leafKey]int{}, names: newNamer()}
	a.out.formula = attribution.Classify(expr, func(id int) attribution.Operand {
		u, set := use(id)
		switch u.measure.Agg {
		case catalog.AggSum, catalog.AggCount:
			return attribution.Operand{Kind: attribution.Additive, Leaf: c.add(u.measure, u, set)}
		case catalog.AggAvg:
			return attribution.Operand{
				Kind: attribution.Average,
				Leaf: c.add(averagePart(b, u.measure, catalog.AggSum), u, set),
				Over: c.add(averagePart(b, u.measure, catalog.AggCount), u, set),
			}
		}
		return attribution.Operand{}
	})
	a.out.leaves = c.leaves
	if a.out.formula.Strategy == attribution.Unsupported {
		a.out.leaves = nil
		a.out.reason = reasonOf(b, a.metric)
	}
}

// leafTable holds each leaf once.
type leafTable struct {
	leaves []leaf
	index  map[leafKey]int
	names  *namer
}

type leafKey struct {
	home  *catalog.Dataset
	agg   catalog.Agg
	arg   string // "*" for none
	where string
	axis  *catalog.Field
	set   int
}

func (c *leafTable) add(m *catalog.Measure, u *use, set int) int {
	k := leafKey{home: m.Home, agg: m.Agg, axis: u.axis, set: set, where: u.whereKey, arg: "*"}
	if m.Arg != nil {
		k.arg = sqlexpr.Format(m.Arg)
	}
	if i, ok := c.index[k]; ok {
		return i
	}
	c.index[k] = len(c.leaves)
	c.leaves = append(c.leaves, leaf{name: c.names.take(m.Name), measure: m, where: u.where, axis: u.axis, set: set})
	return c.index[k]
}

// averagePart is the sum or the count that an average is made of.
func averagePart(b *build, avg *catalog.Measure, agg catalog.Agg) *catalog.Measure {
	m := *avg
	m.Agg = agg
	m.Name = avg.Home.Name
	sqlexpr.Walk(avg.Arg, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok {
			m.Name += "_" + b.cat.Fields[r.ID].Name
		}
		return true
	})
	m.Name += "_" + agg.String()
	m.Type = sqlexpr.TypeInt
	if agg == catalog.AggSum {
		m.Type = sqlexpr.TypeOf(avg.Arg, func(x sqlexpr.Expr) sqlexpr.Type {
			if r, ok := x.(*sqlexpr.Ref); ok {
				return b.cat.Fields[r.ID].Type
			}
			return sqlexpr.TypeUnknown
		})
		if !m.Type.IsNumeric() {
			m.Type = sqlexpr.TypeUnknown
		}
	}
	return &m
}

// reasonOf says why a metric's change has no contributions: a measure that does
// not add up, else arithmetic that is none of the known kinds.
func reasonOf(b *build, m *catalog.Metric) *attribution.Reason {
	for _, u := range b.uses {
		agg, distinct := u.measure.Agg.String(), false
		switch u.measure.Agg {
		case catalog.AggCountDistinct:
			agg, distinct = catalog.AggCount.String(), true
		case catalog.AggMin, catalog.AggMax:
		default:
			continue
		}
		return &attribution.Reason{
			Code:     attribution.ReasonNonSumTier,
			Message:  u.measure.Name + " of one value does not add up with that of another, so a change of " + m.Name + " cannot be split between them",
			Measure:  u.measure.Name,
			Agg:      agg,
			Distinct: distinct,
		}
	}
	return &attribution.Reason{
		Code:    attribution.ReasonNonLinear,
		Message: m.Name + " is no sum, no ratio and no product of sums and counts, so a change of it cannot be split between values",
	}
}

func sideTag(set, side int) int { return 2*set + side }

func columnName(i int) string { return "v" + strconv.Itoa(i) }
