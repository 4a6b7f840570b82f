package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// checkConformed refuses to group a metric made of other metrics by a dimension
// that not all of them share.
func checkConformed(in *Env, sel Selection, groups []Group) error {
	for _, m := range sel.Metrics {
		homes := composedHomes(m, in.Target.Dialect)
		if len(homes) < 2 {
			continue
		}
		for i, g := range groups {
			if g.OnAxis || reachesFromAll(in.Cat, homes, g.Ref) {
				continue
			}
			return unconformedError(in, groups, m, i)
		}
	}
	return nil
}

// composedHomes lists the homes of a metric that is made of other metrics; nil
// for any other metric.
func composedHomes(m *catalog.Metric, dialect string) []*catalog.Dataset {
	if len(m.MembersFor(dialect)) == 0 {
		return nil
	}
	return m.Datasets
}

// reachesFromAll reports whether every home reaches a reference. Only a dimension
// that some home reaches is a matter of conformity; one that none reaches is a
// join problem, and so is an ambiguous path.
func reachesFromAll(cat *catalog.Catalog, homes []*catalog.Dataset, ref resolve.Ref) bool {
	reached := 0
	for _, d := range homes {
		if w := searchSafePath(cat, d, ref); w.ok || w.tied != nil {
			reached++
		}
	}
	return reached == 0 || reached == len(homes)
}

func unconformedError(in *Env, groups []Group, m *catalog.Metric, i int) error {
	g := groups[i]
	var names []string
	for _, f := range in.Cat.Conformed(m) {
		names = append(names, f.Qualified())
	}
	homes := make([]string, len(m.Datasets))
	for i, d := range m.Datasets {
		homes[i] = d.Name
	}
	return &planerr.Error{
		Code:           planerr.CodeUnconformedDimension,
		Message:        g.Ref.String() + " is not shared by all members of " + m.Name + ", which are computed on " + strings.Join(homes, ", "),
		Metrics:        []string{m.Name},
		Candidates:     suggest.Nearest(g.Ref.String(), names, resolve.MaxCandidates),
		SuggestedRetry: "group by a dimension that all members share",
		Fragment:       map[string]any{"group_by": dropUnconformed(in, groups, m, i)},
	}
}

// dropUnconformed is the query's group_by less every item that the metric's
// members do not share.
func dropUnconformed(in *Env, groups []Group, m *catalog.Metric, from int) []query.GroupBy {
	homes := composedHomes(m, in.Target.Dialect)
	out := slices.Clone(in.Query.GroupBy[:from])
	for i := from; i < len(groups); i++ {
		if g := groups[i]; g.OnAxis || reachesFromAll(in.Cat, homes, g.Ref) {
			out = append(out, in.Query.GroupBy[i])
		}
	}
	if out == nil {
		out = []query.GroupBy{}
	}
	return out
}
