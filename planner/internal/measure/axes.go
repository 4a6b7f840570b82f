package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// AxisOfMetric returns the time axis that a metric imposes on all its measures: the
// one an enclosing metric imposes, else its own time_dimension where every
// measure reaches it. Nil leaves each measure to its own home's axis.
func AxisOfMetric(cat *catalog.Catalog, m *catalog.Metric, inherited *catalog.Field) *catalog.Field {
	if inherited != nil {
		return inherited
	}
	if m.TimeAxis == nil {
		return nil
	}
	if len(m.Datasets) <= 1 {
		return m.TimeAxis
	}
	for _, d := range m.Datasets {
		if !cat.WithoutView().ReachesSafely(d, m.TimeAxis.Dataset) {
			return nil
		}
	}
	return m.TimeAxis
}

// AxisOfMeasure returns the axis of one measure: the snapshots of a semi-additive one, else the imposed one, else its home's
// primary time dimension, else the single primary one among the metric's
// datasets when the home reaches it. Nil: it has none.
func AxisOfMeasure(cat *catalog.Catalog, m *catalog.Metric, measure *catalog.Measure, imposed *catalog.Field) *catalog.Field {
	if measure.NonAdditive != nil {
		return measure.NonAdditive.By
	}
	if imposed != nil {
		return imposed
	}
	if own := measure.Home.PrimaryTime; own != nil {
		return own
	}
	if single := m.SinglePrimaryTimeField(); single != nil && cat.WithoutView().ReachesSafely(measure.Home, single.Dataset) {
		return single
	}
	return nil
}

// ClockOfGroupBuckets returns the clock of the buckets of a group. Buckets within a day are instants, the others days
// that the clock of the query shows.
func ClockOfGroupBuckets(in *scope.Env, g scope.Group, measureRefs []*Ref) clock.Clock {
	c := in.Times.Clock
	if !g.Grain.IsWithinDay() {
		c = c.WithoutZone()
	}
	for _, f := range FieldsOfGroup(g, measureRefs) {
		return c.ForField(f) // the others have its type
	}
	return c.WithoutZone()
}

// FieldsOfGroup lists what a group reads in the branches; nothing for metric_time where no metric has a time axis.
func FieldsOfGroup(g scope.Group, measureRefs []*Ref) []*catalog.Field {
	if !g.OnAxis {
		return []*catalog.Field{g.Ref.Field}
	}
	return axesOf(measureRefs)
}

// BucketsOfGroup returns the buckets of a group, to classify the others. A group of metric_time has those of the first axis, whose type
// all others have.
func BucketsOfGroup(in *scope.Env, groups []scope.Group, group int, measureRefs []*Ref) scope.AxisBuckets {
	for _, f := range FieldsOfGroup(groups[group], measureRefs) {
		if groups[group].ReadsAxis(f) {
			return in.BucketsOfAxis(groups, f)
		}
	}
	return scope.AxisBuckets{Group: -1} // of a field by way of a relationship that the query names
}
