package catalog

import "slices"

// WindowedMetrics lists the windowed metrics that the metric is made of on a dialect,
// through all its members, each once; itself first where it has a window. Windows inside of a metric at another level run over
// other rows.
func (m *Metric) WindowedMetrics(dialect string) []*Metric {
	w := windowedMetricCollector{dialect: dialect}
	w.addMetric(m)
	return w.list
}

type windowedMetricCollector struct {
	dialect string
	seen    []*Metric
	list    []*Metric
	levels  []*Metric // at other levels
}

func (w *windowedMetricCollector) addMetric(m *Metric) {
	if slices.Contains(w.seen, m) {
		return
	}
	w.seen = append(w.seen, m)
	if m.Window != nil {
		w.list = append(w.list, m)
	}
	if m.At != nil {
		w.levels = append(w.levels, m)
		return
	}
	for _, member := range m.MemberMetricsOnDialect(w.dialect) {
		w.addMetric(member)
	}
}

// IsMadeOfWindows reports whether the metric is, or is made of, a window, also one inside of a metric at another level.
func (m *Metric) IsMadeOfWindows(dialect string) bool {
	w := windowedMetricCollector{dialect: dialect}
	w.addMetric(m)
	return len(w.list) > 0 || slices.ContainsFunc(w.levels, func(m *Metric) bool {
		return slices.ContainsFunc(m.MemberMetricsOnDialect(dialect), func(m *Metric) bool { return m.IsMadeOfWindows(dialect) })
	})
}

// NeedsTimeAxis reports whether a query of the metric has to group by its time axis:
// it is, or is made of, a window that runs over time.
func (m *Metric) NeedsTimeAxis(dialect string) bool {
	w := windowedMetricCollector{dialect: dialect}
	w.addMetric(m)
	return slices.ContainsFunc(w.list, func(m *Metric) bool { return m.Window.RequiresTimeAxis() }) ||
		slices.ContainsFunc(w.levels, func(m *Metric) bool { return m.levelNeedsTimeAxis(dialect) })
}

// levelNeedsTimeAxis reports whether a metric at another level is made of a window that runs over time, and includes no time.
func (m *Metric) levelNeedsTimeAxis(dialect string) bool {
	hasUnit := func(g IncludedGroup) bool { return g.Unit != "" }
	return !slices.ContainsFunc(m.At.Include, hasUnit) && slices.ContainsFunc(m.MemberMetricsOnDialect(dialect), func(m *Metric) bool { return m.NeedsTimeAxis(dialect) })
}

// RequiredGroupByFields lists the fields that a query of the metric has to group by, because
// a window leaves them out of its partition.
func (m *Metric) RequiredGroupByFields(dialect string) []*Field {
	var out []*Field
	for _, m := range m.WindowedMetrics(dialect) {
		for _, f := range m.Window.EffectivePartition().Exclude {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}
