package catalog

import "slices"

// SupportedGrains returns the grains at which the metric has its meaning on a dialect: those that it and all its
// members declare, in the order of the first that declares some. Restricted is false where none does: every grain
// is supported.
func (m *Metric) SupportedGrains(dialect string) (grains []GrainOrPeriod, restricted bool) {
	var out supportedGrainCollector
	out.addMetric(m, dialect)
	return out.grains, out.restricted
}

type supportedGrainCollector struct {
	seen       map[*Metric]bool
	grains     []GrainOrPeriod
	restricted bool
}

func (s *supportedGrainCollector) addMetric(m *Metric, dialect string) {
	if len(m.Grains) > 0 {
		s.restrictTo(m.Grains)
	}
	members := m.MemberMetricsOnDialect(dialect)
	if len(members) > 0 && s.seen == nil {
		s.seen = map[*Metric]bool{m: true}
	}
	for _, member := range members {
		if !s.seen[member] {
			s.seen[member] = true
			s.addMetric(member, dialect)
		}
	}
}

func (s *supportedGrainCollector) restrictTo(grains []GrainOrPeriod) {
	if !s.restricted {
		s.grains, s.restricted = slices.Clone(grains), true
		return
	}
	s.grains = slices.DeleteFunc(s.grains, func(g GrainOrPeriod) bool { return !slices.Contains(grains, g) })
}
