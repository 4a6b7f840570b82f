package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// checkConformed refuses to group a metric made of other metrics by a dimension
// that not all of them share.
func (b *build) checkConformed() error {
	for _, m := range b.metrics {
		homes := composedHomes(m, b.target.Dialect)
		if len(homes) < 2 {
			continue
		}
		for i, g := range b.groups {
			if g.metricTime || b.sharedBy(homes, g.ref) {
				continue
			}
			return b.unconformed(m, g, i)
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

// sharedBy reports whether every home reaches a reference. Only a dimension
// that some home reaches is a matter of conformity; one that none reaches is a
// join problem, and so is an ambiguous path.
func (b *build) sharedBy(homes []*catalog.Dataset, ref scope.Ref) bool {
	reached := 0
	for _, d := range homes {
		if _, ok, err := b.safeRoute(d, ref); ok || err != nil {
			reached++
		}
	}
	return reached == 0 || reached == len(homes)
}

func (b *build) unconformed(m *catalog.Metric, g group, i int) error {
	var names []string
	for _, f := range b.cat.Conformed(m) {
		names = append(names, f.Qualified())
	}
	homes := make([]string, len(m.Datasets))
	for i, d := range m.Datasets {
		homes[i] = d.Name
	}
	return &planerr.Error{
		Code:           planerr.CodeUnconformedDimension,
		Message:        g.ref.String() + " is not shared by all members of " + m.Name + ", which are computed on " + strings.Join(homes, ", "),
		Metrics:        []string{m.Name},
		Candidates:     suggest.Nearest(g.ref.String(), names, scope.MaxCandidates),
		SuggestedRetry: "group by a dimension that all members share",
		Fragment:       map[string]any{"group_by": b.withoutUnconformed(m, i)},
	}
}

// withoutUnconformed is the query's group_by less every item that the metric's
// members do not share.
func (b *build) withoutUnconformed(m *catalog.Metric, from int) []query.GroupBy {
	homes := composedHomes(m, b.target.Dialect)
	out := slices.Clone(b.q.GroupBy[:from])
	for i := from; i < len(b.groups); i++ {
		if g := b.groups[i]; g.metricTime || b.sharedBy(homes, g.ref) {
			out = append(out, b.q.GroupBy[i])
		}
	}
	if out == nil {
		out = []query.GroupBy{}
	}
	return out
}
