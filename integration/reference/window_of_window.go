package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// isMadeOfWindows reports whether the expression of a metric is over windows, besides its own.
func (e *evaluator) isMadeOfWindows(m *catalog.Metric) bool {
	return slices.ContainsFunc(m.MemberMetricsOnDialect(expressionDialect), e.isWindowed)
}

// withoutWindow returns the metric under a window, which does not fill its values.
func withoutWindow(m *catalog.Metric) *catalog.Metric {
	out := *m
	out.Window, out.Fill = nil, ""
	return &out
}

// evaluateOffsetOfExpression returns an offset of a metric that is made of windows or of levels: the value of its expression at the bucket
// some granularities away.
func (p *windowPopulation) evaluateOffsetOfExpression(chain []*catalog.Metric, c metricColumn) valuesByGroup {
	out := valuesByGroup{values: map[string]Value{}}
	m, chain := withoutWindow(p.m), chain[:len(chain)-1]
	if p.e.fill != nil && len(p.e.groups) > 1 {
		abstain("filled groups of which an offset of windows reads rows")
	}
	move := func(to bool) (back func()) {
		before := p.e.isBucketMoved
		p.e.isBucketMoved = to
		return func() { p.e.isBucketMoved = before }
	}
	at, level, lacksAxis := p.e.evaluateMetric(m, chain, c), p.e.currentLevel, p.lacksAxisAtLevel()
	back := move(true)
	atMoved := p.e.evaluateMetric(m, chain, c) // which remembers other values: a cut bucket is whole there
	back()
	bucket := p.e.attributesOfBucket(p.axis, p.l.axis)
	out.isFilled = func(string) bool { return true }
	out.filledValue = func(dims []Value) Value {
		defer func(before totalsLevel) { p.e.currentLevel = before }(p.e.currentLevel)
		if p.e.currentLevel = level; lacksAxis || dims[p.axis] == nil || p.isOutsideTag(dims) {
			return nil
		}
		current := at(dims)
		moved, exists := p.offsetBucket(dims[p.axis])
		if !exists {
			return p.calculate(current, nil)
		}
		back := move(true)
		defer back()
		return p.calculate(current, atMoved(bucket.withBucket(p.e, level, dims, moved)))
	}
	return out
}

// offsetBucket returns the bucket that an offset compares with. exists is false for a day that a month does not have.
func (p *windowPopulation) offsetBucket(bucket Value) (other Value, exists bool) {
	w := p.l.window.Offset
	n := p.l.binding.resolveWindowCount(p.m, w.Count)
	if !w.Forward {
		n = -n
	}
	return p.e.shiftBucket(bucket, p.l.period, w.Grain, w.Period, n)
}

// calculate compares a value with that of another bucket.
func (p *windowPopulation) calculate(current, other Value) Value {
	switch p.l.window.Offset.Calculation {
	case catalog.CalculationValue:
		return other
	case catalog.CalculationDelta:
		return evalBinary(sqlexpr.OpSub, current, other)
	case catalog.CalculationRatio:
		return evalBinary(sqlexpr.OpDiv, current, other)
	}
	return evalBinary(sqlexpr.OpDiv, evalBinary(sqlexpr.OpSub, current, other), other)
}

// checkGrains rejects a grain of the axis at which a metric of the query does not have its meaning. The grain is that of
// the bucket; a grouped Date counts as its day.
func (e *evaluator) checkGrains() {
	for _, m := range e.metrics {
		allowed := e.grainsOfMetric(m, nil)
		for _, l := range measuresOfMetric(m, nil) {
			axis := e.timeAxisOf(l)
			if grain := e.grainOfBucket(axis); allowed != nil && grain != "" && !slices.Contains(allowed, grain) {
				e.addMustRejectCode("grain_not_supported")
			}
		}
	}
}

// grainsOfMetric returns the grains at which a metric and its members have their meaning; nil is all.
func (e *evaluator) grainsOfMetric(m *catalog.Metric, allowed []string) []string {
	var grains []string
	for _, g := range m.Grains {
		grains = append(grains, g.String())
	}
	if grains != nil && allowed == nil {
		allowed = grains
	} else if grains != nil {
		allowed = slices.DeleteFunc(slices.Clone(allowed), func(g string) bool { return !slices.Contains(grains, g) })
	}
	if m.Derive != nil && m.Derive.Base != nil {
		return e.grainsOfMetric(m.Derive.Base, allowed)
	}
	form := m.Forms.ForDialect(expressionDialect)
	if form == nil {
		return allowed
	}
	for _, o := range form.Operands {
		if member, is := o.(*catalog.Metric); is {
			allowed = e.grainsOfMetric(member, allowed)
		}
	}
	return allowed
}

// grainOfBucket names the grain or period by which an axis is grouped; "" when it is not.
func (e *evaluator) grainOfBucket(axis *catalog.Field) string {
	grain, i := e.finestGrainOfAxis(axis)
	switch {
	case i >= 0 && e.groups[i].period != nil:
		return e.groups[i].period.Name
	case i >= 0:
		return grain.String()
	}
	isDay := axis != nil && isStoredGrain(axis, groupByItem{grain: sqlexpr.GrainDay})
	if isDay && slices.ContainsFunc(e.groups, func(g groupByItem) bool { return g.groupsByAxis(axis) && g.isRaw() }) {
		return sqlexpr.GrainDay.String()
	}
	return ""
}

// canReset reports whether a window over the buckets begins again with each period of a calendar.
func (p *windowPopulation) canReset() bool {
	period := p.resetPeriod()
	if period != nil && p.l.period == nil && p.l.grain >= sqlexpr.GrainDay {
		return p.e.dividesIntoPeriod(p.l.grain, period)
	}
	return p.canCountBucketsByUnit(period)
}

// checkSpan rejects a span that is not made of values that the axis stores.
func (p *windowPopulation) checkSpan(span *catalog.WindowSpan) {
	if span == nil || span.Period != nil || p.l.axis == nil {
		return
	}
	n, stored := p.l.binding.resolveWindowCount(p.m, span.Count), p.l.axis.Granularity
	switch {
	case p.l.axis.Encoding != nil:
		stored = p.l.axis.Encoding.Grain
	case stored == sqlexpr.GrainNone && !storesTimeOfDay(p.l.axis, sqlexpr.GrainHour):
		stored = sqlexpr.GrainDay
	}
	if stored < sqlexpr.GrainDay || dividesInto(stored, span.Grain) {
		return
	}
	if seconds := n * secondsOfGrain(span.Grain); stored == sqlexpr.GrainDay && seconds > 0 && seconds%86400 == 0 {
		return
	}
	if months := n * monthsOfGrain(span.Grain); months > 0 && monthsOfGrain(stored) > 0 && months%monthsOfGrain(stored) == 0 {
		return
	}
	if days := n * daysPerGrain(span.Grain); days > 0 && daysPerGrain(stored) > 0 && days%daysPerGrain(stored) == 0 {
		return
	}
	p.e.addMustRejectCode("grain_too_fine")
}
