package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// TimeAxisOfMetric returns the time axis that a metric imposes on all its measures: the
// one an enclosing metric imposes, else its own time_dimension where every
// measure reaches it. Nil leaves each measure to its own home's axis.
func TimeAxisOfMetric(cat *catalog.Catalog, m *catalog.Metric, inherited *catalog.Field) *catalog.Field {
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
		if !cat.ReachesSafely(d, m.TimeAxis.Dataset) {
			return nil
		}
	}
	return m.TimeAxis
}

// TimeAxisOfMeasure returns the axis of one measure: the snapshots of a semi-additive one, else the imposed one, else its home's
// primary time dimension, else the single primary one among the metric's
// datasets when the home reaches it. Nil: it has none.
func TimeAxisOfMeasure(cat *catalog.Catalog, m *catalog.Metric, measure *catalog.Measure, imposed *catalog.Field) *catalog.Field {
	if measure.NonAdditive != nil {
		return measure.NonAdditive.By
	}
	if imposed != nil {
		return imposed
	}
	if own := measure.Home.PrimaryTime; own != nil {
		return own
	}
	if single := m.SinglePrimaryTimeField(); single != nil && cat.ReachesSafely(measure.Home, single.Dataset) {
		return single
	}
	return nil
}

// setTypesOfMetricTimeGroupBys types the groups of metric_time that are finer than a day by the axis of the
// first measure: all axes have one type, or the query is rejected.
func setTypesOfMetricTimeGroupBys(groups []scope.Group, measures []*MeasureRef) []scope.Group {
	for i, g := range groups {
		if g.OnAxis && !g.IsRemainder && g.Grain.IsWithinDay() && len(measures) > 0 && measures[0].Axis != nil {
			typed := slices.Clone(groups)
			typed[i].Type = measures[0].Axis.BucketType(g.Grain)
			groups = typed
		}
	}
	return groups
}
