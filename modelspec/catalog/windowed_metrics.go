package catalog

import "slices"

// Windowed lists the windowed metrics that the metric is made of on a dialect,
// through all its members, each once; itself first where it has a window.
func (m *Metric) Windowed(dialect string) []*Metric {
	w := windowedMetrics{dialect: dialect}
	w.metric(m)
	return w.list
}

type windowedMetrics struct {
	dialect string
	seen    []*Metric
	list    []*Metric
}

func (w *windowedMetrics) metric(m *Metric) {
	if slices.Contains(w.seen, m) {
		return
	}
	w.seen = append(w.seen, m)
	if m.Window != nil {
		w.list = append(w.list, m)
	}
	for _, member := range m.MembersFor(w.dialect) {
		w.metric(member)
	}
}

// NeedsTimeAxis reports whether a query of the metric has to group by its time axis:
// it is, or is made of, a window that runs over time.
func (m *Metric) NeedsTimeAxis(dialect string) bool {
	return slices.ContainsFunc(m.Windowed(dialect), func(m *Metric) bool { return m.Window.RequiresTimeAxis() })
}

// RequiredGroupBys lists the fields that a query of the metric has to group by, because
// a window leaves them out of its partition.
func (m *Metric) RequiredGroupBys(dialect string) []*Field {
	var out []*Field
	for _, m := range m.Windowed(dialect) {
		for _, f := range m.Window.EffectivePartition().Exclude {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}
