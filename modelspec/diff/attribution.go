package diff

import "slices"

// compareAttribution lists the metrics whose changes can no longer be attributed, or can
// now. It asks for those alone that something changed of.
func (c *comparison) compareAttribution() {
	if c.old.Planner == nil || c.new.Planner == nil {
		return
	}
	var from []key
	for _, x := range c.changes {
		if slices.Contains(meanings, x.What) || slices.Contains(edgeChanges, x.What) {
			from = append(from, x.key)
		}
	}
	touched := map[key]bool{}
	for _, k := range closure(c.graph.users, from...) {
		touched[k] = true
	}
	for _, m := range c.old.Catalog.Metrics {
		other, k := c.new.Catalog.Metric(m.Name), keyOf(ObjectMetric, m.Name)
		if other == nil || m.Err != nil || other.Err != nil || !touched[k] {
			continue
		}
		could, can := c.old.Planner.Attributable(c.ctx, m), c.new.Planner.Attributable(c.ctx, other)
		if c.ctx.Err() != nil {
			return
		}
		if could != can {
			x := c.add(loss(could, Compatible), ObjectMetric, other.Name, Attribution, attributionText(could), attributionText(can), inNew(c.new.places.metric(other)))
			x.follows = consequence{keys: []key{k}, deep: true, of: append(slices.Clone(meanings), Grains, IsTime, TimeDimension)}
		}
	}
}

func attributionText(can bool) string {
	if can {
		return "exact"
	}
	return "unsupported"
}
