package metric

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkConformedGroups rejects a query that groups a metric made of other metrics by a dimension
// that not all of them share.
func checkConformedGroups(in *Env, sel MetricSelection, groups []ResolvedGroupBy) error {
	for _, m := range sel.Metrics {
		homes := homesOfComposedMetric(m, in.Target.Dialect)
		if len(homes) < 2 {
			continue
		}
		for i, g := range groups {
			if isConformedGroup(in.Cat, homes, g) {
				continue
			}
			return unconformedGroupError(in, groups, m, i)
		}
	}
	return nil
}

// homesOfComposedMetric lists the homes of a metric that is made of other metrics; nil
// for any other metric.
func homesOfComposedMetric(m *catalog.Metric, dialect string) []*catalog.Dataset {
	if len(m.MemberMetricsOnDialect(dialect)) == 0 {
		return nil
	}
	return m.Datasets
}

// isConformedGroup reports whether every home reaches what a group reads.
func isConformedGroup(cat *catalog.Catalog, homes []*catalog.Dataset, g ResolvedGroupBy) bool {
	for i := range g.fieldReferenceCount() {
		if !isConformedRef(cat, homes, g.referenceAtIndex(i)) {
			return false
		}
	}
	return true
}

// isConformedRef reports whether every home reaches a reference. Only a dimension
// that some home reaches is a matter of conformity; one that none reaches is a
// join problem, and so is an ambiguous path.
func isConformedRef(cat *catalog.Catalog, homes []*catalog.Dataset, ref resolve.Ref) bool {
	reached := 0
	for _, d := range homes {
		if w := findSafePathToRef(cat, d, ref); w.ok || w.tied != nil {
			reached++
		}
	}
	return reached == 0 || reached == len(homes)
}

func unconformedGroupError(in *Env, groups []ResolvedGroupBy, m *catalog.Metric, i int) error {
	g := groups[i]
	var names []string
	for _, f := range in.Cat.ConformedDimensions(m) {
		names = append(names, f.QualifiedName())
	}
	homes := make([]string, len(m.Datasets))
	for i, d := range m.Datasets {
		homes[i] = d.Name
	}
	return &planerr.Error{
		Code:           planerr.CodeUnconformedDimension,
		Message:        g.displayName() + " is not shared by all members of " + m.Name + ", which are computed on " + strings.Join(homes, ", "),
		Metrics:        []string{m.Name},
		Candidates:     suggest.Nearest(g.displayName(), names, resolve.MaxCandidates),
		SuggestedRetry: "group by a dimension that all members share",
		Fragment:       removeUnconformedRetry(in, groups, m),
	}
}

// removeUnconformedRetry returns the query without the groups that the metric's members do not share.
func removeUnconformedRetry(in *Env, groups []ResolvedGroupBy, m *catalog.Metric) map[string]any {
	homes := homesOfComposedMetric(m, in.Target.Dialect)
	return removeGroupsRetry(in.Query, groups, func(g ResolvedGroupBy) bool { return !g.isRemainder && !isConformedGroup(in.Cat, homes, g) })
}
