package reference

import (
	"math"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// aggregateBucketFrame aggregates the calendar buckets from n before the current one up to
// it; for a descending order, from the current one to n after it.
func (p *windowPopulation) aggregateBucketFrame(c *windowGroup, function sqlexpr.Func, n int, desc, full bool) Value {
	if p.l.period != nil {
		return p.aggregatePeriodFrame(c, function, n, desc, full)
	}
	clock, at := p.e.clock, c.dims[p.axis]
	first, last := clock.addBuckets(p.l.grain, at, -n), at
	if desc {
		first, last = at, clock.addBuckets(p.l.grain, at, n)
	}
	within := p.frameGroups(c, func(o *windowGroup) bool {
		b := o.dims[p.axis]
		return compareNullsLast(first, b) <= 0 && compareNullsLast(b, last) <= 0
	})
	if full {
		for b := first; compareNullsLast(b, last) <= 0; b = clock.addBuckets(p.l.grain, b, 1) {
			if !slices.ContainsFunc(within, func(o *windowGroup) bool { return o.dims[p.axis] == b }) {
				return nil
			}
		}
	}
	return p.windowValueOverGroups(function, within)
}

func (p *windowPopulation) evaluateFrameWindow(c *windowGroup) Value {
	f := p.l.window.Frame
	n := p.l.binding.resolveWindowCount(p.m, f.Preceding)
	switch {
	case f.PartitionScope:
		return p.windowValueOverGroups(f.Function, p.groupsOfSamePartition(c))
	case f.Range && f.Unbounded:
		return p.windowValueOverGroups(f.Function, p.frameGroups(c, func(o *windowGroup) bool { return p.compareByWindowOrder(o, c) <= 0 }))
	case f.Range && f.Order != nil && !f.Order.ByTime:
		if f.RequireFullWindow {
			abstain("a full window of a distance in value")
		}
		return p.windowValueOverGroups(f.Function, p.frameGroups(c, func(o *windowGroup) bool { return p.isWithinValueDistance(o, c, float64(n)) }))
	case f.Range:
		return p.aggregateBucketFrame(c, f.Function, n, p.order.Desc, f.RequireFullWindow)
	}
	before := p.frameGroups(c, func(o *windowGroup) bool { return p.compareWithTieBreak(o, c) <= 0 })
	slices.SortFunc(before, p.compareWithTieBreak)
	if !f.Unbounded {
		before = before[max(0, len(before)-1-n):]
		if f.RequireFullWindow && len(before) <= n {
			return nil
		}
	}
	return p.windowValueOverGroups(f.Function, before)
}

// isWithinValueDistance reports whether o precedes c by no more than a distance in value.
func (p *windowPopulation) isWithinValueDistance(o, c *windowGroup, distance float64) bool {
	if o.value == nil || c.value == nil {
		return o.value == nil && c.value == nil
	}
	before := toFloat(c.value) - toFloat(o.value)
	if p.order.Desc {
		before = -before
	}
	return 0 <= before && before <= distance
}

func (p *windowPopulation) evaluateRankWindow(c *windowGroup) Value {
	w := p.l.window.Rank
	peers := p.groupsOfSamePartition(c)
	slices.SortFunc(peers, p.compareWithTieBreak)
	before, same, distinct := 0, 0, 0
	for i, o := range peers {
		switch {
		case p.compareByWindowOrder(o, c) < 0:
			before++
			if i == 0 || p.compareByWindowOrder(peers[i-1], o) != 0 {
				distinct++
			}
		case p.compareByWindowOrder(o, c) == 0:
			same++
		}
	}
	at := slices.Index(peers, c)
	switch w.Function {
	case sqlexpr.FnRowNumber:
		return float64(at + 1)
	case sqlexpr.FnRank:
		return float64(before + 1)
	case sqlexpr.FnDenseRank:
		return float64(distinct + 1)
	case sqlexpr.FnPercentRank:
		if len(peers) == 1 {
			return 0.0
		}
		return float64(before) / float64(len(peers)-1)
	case sqlexpr.FnCumeDist:
		return float64(before+same) / float64(len(peers))
	case sqlexpr.FnNtile:
	default:
		panic("the reference has no rank function " + w.Function.String())
	}
	return ntileNumber(at, len(peers), p.l.binding.resolveWindowCount(p.m, w.Buckets))
}

// ntileNumber returns the number of the bucket when rows are dealt into buckets of equal
// size, the first ones one row larger where it does not come out even.
func ntileNumber(at, rows, buckets int) Value {
	size, larger := rows/buckets, rows%buckets
	if at < larger*(size+1) {
		return float64(at/(size+1) + 1)
	}
	return float64(larger + (at-larger*(size+1))/size + 1)
}

// evaluateValueWindow returns the first, last or nth value of the partition.
func (p *windowPopulation) evaluateValueWindow(c *windowGroup) Value {
	w := p.l.window.Value
	peers := p.groupsOfSamePartition(c)
	slices.SortFunc(peers, p.compareWithTieBreak)
	at := 0
	switch w.Function {
	case sqlexpr.FnLastValue:
		at = len(peers) - 1
	case sqlexpr.FnNthValue:
		at = p.l.binding.resolveWindowCount(p.m, w.N) - 1
	}
	if at >= len(peers) {
		return nil
	}
	return peers[at].value
}

// windowValueOverGroups returns a window's function over the values of groups; NULLs do not count.
func (p *windowPopulation) windowValueOverGroups(function sqlexpr.Func, groups []*windowGroup) Value {
	var x, y []float64
	var values []Value
	p.read(groups...)
	for _, c := range groups {
		if c.value == nil || p.l.second != nil && c.secondValue == nil {
			continue
		}
		values = append(values, c.value)
		if p.l.second != nil {
			y = append(y, toFloat(c.secondValue))
		}
	}
	if function == sqlexpr.FnCount {
		return float64(len(values))
	}
	if len(values) == 0 && p.isZeroOverNoData(function) {
		return 0.0
	}
	if len(values) == 0 {
		return nil
	}
	switch function {
	case sqlexpr.FnMin:
		return slices.MinFunc(values, compareNullsLast)
	case sqlexpr.FnMax:
		return slices.MaxFunc(values, compareNullsLast)
	}
	for _, v := range values {
		x = append(x, toFloat(v))
	}
	if p.l.second == nil {
		y = x
	}
	n := float64(len(x))
	switch function {
	case sqlexpr.FnSum:
		return mean(x) * n
	case sqlexpr.FnAvg:
		return mean(x)
	case sqlexpr.FnVarPop, sqlexpr.FnCovarPop:
		return sumOfDeviationProducts(x, y) / n
	case sqlexpr.FnStddevPop:
		return math.Sqrt(sumOfDeviationProducts(x, x) / n)
	case sqlexpr.FnCorr:
		if sumOfDeviationProducts(x, x) == 0 || sumOfDeviationProducts(y, y) == 0 {
			return nil
		}
		return sumOfDeviationProducts(x, y) / math.Sqrt(sumOfDeviationProducts(x, x)*sumOfDeviationProducts(y, y))
	case sqlexpr.FnVarSamp, sqlexpr.FnCovarSamp, sqlexpr.FnStddevSamp:
		if n < 2 {
			return nil
		}
		if function == sqlexpr.FnStddevSamp {
			return math.Sqrt(sumOfDeviationProducts(x, x) / (n - 1))
		}
		return sumOfDeviationProducts(x, y) / (n - 1)
	}
	failUnsupported("the window function %s", function)
	return nil
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// sumOfDeviationProducts returns the sum of the products of the deviations from the means.
func sumOfDeviationProducts(x, y []float64) float64 {
	a, b := mean(x), mean(y)
	sum := 0.0
	for i := range x {
		sum += (x[i] - a) * (y[i] - b)
	}
	return sum
}
