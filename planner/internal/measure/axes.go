package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
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
		if !cat.ReachesSafely(d, m.TimeAxis.Dataset) {
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
	if single := m.SinglePrimaryTimeField(); single != nil && cat.ReachesSafely(measure.Home, single.Dataset) {
		return single
	}
	return nil
}
