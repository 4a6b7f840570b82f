package catalog

import "slices"

// WindowedMetrics lists the windowed metrics that the metric is made of on a dialect,
// through all its members, each once; itself first where it has a window.
func (m *Metric) WindowedMetrics(dialect string) []*Metric {
	w := windowedMetricCollector{dialect: dialect}
	w.addMetric(m)
	return w.list
}

type windowedMetricCollector struct {
	dialect string
	seen    []*Metric
	list    []*Metric
}

func (w *windowedMetricCollector) addMetric(m *Metric) {
	if slices.Contains(w.seen, m) {
		return
	}
	w.seen = append(w.seen, m)
	if m.Window != nil {
		w.list = append(w.list, m)
	}
	for _, member := range m.MemberMetricsOnDialect(w.dialect) {
		w.addMetric(member)
	}
}

// NeedsTimeAxis reports whether a query of the metric has to group by its time axis:
// it is, or is made of, a window that runs over time.
func (m *Metric) NeedsTimeAxis(dialect string) bool {
	return slices.ContainsFunc(m.WindowedMetrics(dialect), func(m *Metric) bool { return m.Window.RequiresTimeAxis() })
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
