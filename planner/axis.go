package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
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
	if single := m.PrimaryTime(); single != nil && b.cat.Reaches(measure.Home, single.Dataset) {
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

// checkAxesMeet refuses to group by metric_time without a grain where the axes
// of the branches are stored in different ways: their stored values would share
// a column and never be equal.
func (b *build) checkAxesMeet() error {
	i := slices.IndexFunc(b.groups, func(g group) bool { return g.metricTime && g.raw() })
	if i < 0 {
		return nil
	}
	grain := sqlexpr.GrainDay
	var first *catalog.Field
	for _, br := range b.branches {
		if br.axis == nil {
			continue // which planning the branch reports
		}
		if first == nil {
			first = br.axis
		}
		grain = max(grain, first.StoredGrain(), br.axis.StoredGrain())
		if stored(first) != stored(br.axis) {
			return &planerr.Error{
				Code: planerr.CodeNotImplemented,
				Message: first.Qualified() + " and " + br.axis.Qualified() +
					" store time in different ways, so metric_time needs a grain to bring them together",
				Metrics:        br.metricNames(),
				SuggestedRetry: "group by metric_time with a grain",
				Fragment:       map[string]any{"group_by": b.regrain(i, grain)},
			}
		}
	}
	return nil
}

// stored names how a time field is stored: days and moments compare with each
// other, codes only with codes of one format.
func stored(f *catalog.Field) string {
	switch {
	case f.Encoding != nil:
		return f.Encoding.Text + " in " + f.Type.String()
	case f.Type.IsInstant():
		return "time"
	}
	return f.Type.String()
}
