package metric

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkConformedGroups rejects a query that groups a metric made of other metrics by a dimension
// that not all of them share.
func checkConformedGroups(in *scope.Env, sel scope.Selection, groups []scope.Group) error {
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
func isConformedGroup(cat *catalog.Catalog, homes []*catalog.Dataset, g scope.Group) bool {
	for i := range g.FieldReferenceCount() {
		if !isConformedRef(cat, homes, g.ReferenceAtIndex(i)) {
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
		if w := joinpath.FindSafe(cat, d, ref); w.Ok || w.Tied != nil {
			reached++
		}
	}
	return reached == 0 || reached == len(homes)
}

func unconformedGroupError(in *scope.Env, groups []scope.Group, m *catalog.Metric, i int) error {
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
		Message:        g.DisplayName() + " is not shared by all members of " + m.Name + ", which are computed on " + strings.Join(homes, ", "),
		Metrics:        []string{m.Name},
		Candidates:     suggest.Nearest(g.DisplayName(), names, resolve.MaxCandidates),
		SuggestedRetry: "group by a dimension that all members share",
		Fragment:       removeUnconformedRetry(in, groups, m),
	}
}

// removeUnconformedRetry returns the query without the groups that the metric's members do not share.
func removeUnconformedRetry(in *scope.Env, groups []scope.Group, m *catalog.Metric) map[string]any {
	homes := homesOfComposedMetric(m, in.Target.Dialect)
	return retry.RemoveGroups(in.Query, groups, func(g scope.Group) bool { return !g.IsRemainder && !isConformedGroup(in.Cat, homes, g) })
}
