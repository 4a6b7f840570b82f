package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// NeedsTimeAxis reports whether a query of the metric has to group by its time axis:
// it is, or is made of, a window that runs over time.
func NeedsTimeAxis(m *catalog.Metric, dialect string) bool {
	return slices.ContainsFunc(windowsIn(m, dialect), func(m *catalog.Metric) bool {
		return m.Window.RequiresTimeAxis()
	})
}

// NeededGroups lists the fields that a query of the metric has to group by, because
// a window leaves them out of its partition.
func NeededGroups(m *catalog.Metric, dialect string) []*catalog.Field {
	var out []*catalog.Field
	for _, m := range windowsIn(m, dialect) {
		for _, f := range partitionOf(m.Window).Exclude {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

func windowsIn(m *catalog.Metric, dialect string) []*catalog.Metric {
	b := &build{target: Target{Dialect: dialect}, metrics: []*catalog.Metric{m}}
	return b.windowed()
}
