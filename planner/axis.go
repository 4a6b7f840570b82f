package planner

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// metricAxis is the time axis that a metric imposes on all its measures: the
// one an enclosing metric imposes, else its own time_dimension where every
// measure reaches it. Nil leaves each measure to its own home's axis.
func (b *build) metricAxis(m *catalog.Metric, inherited *catalog.Field) *catalog.Field {
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
		if !b.cat.Reaches(d, m.TimeAxis.Dataset) {
			return nil
		}
	}
	return m.TimeAxis
}

// measureAxis is the axis of one measure: the imposed one, else its home's
// primary time dimension, else the single primary one among the metric's
// datasets when the home reaches it. Nil: it has none.
func (b *build) measureAxis(m *catalog.Metric, measure *catalog.Measure, imposed *catalog.Field) *catalog.Field {
	if imposed != nil {
		return imposed
	}
	if own := measure.Home.PrimaryTime; own != nil {
		return own
	}
	var single *catalog.Field
	for _, d := range m.Datasets {
		switch {
		case d.PrimaryTime == nil:
		case single == nil:
			single = d.PrimaryTime
		default:
			return nil
		}
	}
	if single != nil && b.cat.Reaches(measure.Home, single.Dataset) {
		return single
	}
	return nil
}

// groupsByMetricTime reports whether the result is grouped by metric_time.
func (b *build) groupsByMetricTime() bool {
	for _, g := range b.groups {
		if g.metricTime {
			return true
		}
	}
	return false
}
