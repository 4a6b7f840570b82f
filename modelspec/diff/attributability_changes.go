package diff

import "slices"

// compareAttributability lists the metrics whose changes can no longer be attributed, or can
// now. It requests those alone that something changed of.
func (c *modelComparison) compareAttributability() {
	if c.old.Planner == nil || c.new.Planner == nil {
		return
	}
	var from []objectKey
	for _, x := range c.changes {
		if slices.Contains(resultChangingProperties, x.Property) || slices.Contains(reachChangingProperties, x.Property) {
			from = append(from, x.objectKey)
		}
	}
	touched := map[objectKey]bool{}
	for _, k := range reachableObjectKeys(c.graph.users, from...) {
		touched[k] = true
	}
	for _, m := range c.old.Catalog.Metrics {
		other, k := c.new.Catalog.Metric(m.Name), newObjectKey(ObjectMetric, m.Name)
		if other == nil || m.Err != nil || other.Err != nil || !touched[k] {
			continue
		}
		could, can := c.old.Planner.IsAttributable(c.ctx, m), c.new.Planner.IsAttributable(c.ctx, other)
		if c.ctx.Err() != nil {
			return
		}
		if could != can {
			x := c.addChange(changeClassesIfRemovedOrGained(could, ClassCompatible), ObjectMetric, other.Name, PropertyAttribution, attributionSupportText(could), attributionSupportText(can), asNewModelPlace(c.new.declarations.metricPlace(other)))
			x.follows = possibleCauses{keys: []objectKey{k}, deep: true, of: append(slices.Clone(resultChangingProperties), PropertyGrains, PropertyIsTime, PropertyTimeDimension)}
		}
	}
}

func attributionSupportText(can bool) string {
	if can {
		return "exact"
	}
	return "unsupported"
}
