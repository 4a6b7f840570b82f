package engine

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/plan"
)

// RollupUse is what one branch of a query reads: the table of a rollup, or the base tables and why.
type RollupUse = plan.RollupUse

// RollupRules lists the rules by which a rollup serves a branch, in the order in which they are tried.
func RollupRules() []string { return plan.RollupRules() }

// noRollups is the target of all queries of a model without rollups.
var noRollups = new(plan.RollupTarget)

// rollupTarget returns what decides, besides the query, which rollups it may read on a connection.
func (e *Engine) rollupTarget(t compileTarget) *plan.RollupTarget {
	if len(e.cat.Rollups) == 0 {
		return noRollups
	}
	out := &plan.RollupTarget{Connection: t.connectionName(), OfReader: t.connection != nil && t.connection.session != nil}
	if t.local != nil {
		out.Recorded, out.Local = true, &plan.LocalRollups{Dialect: t.local.of.dialect.Name()}
		return out
	}
	if t.connection != nil {
		out.Schema = t.connection.rollupSchema
		out.Recorded = t.connection.profile != nil && t.connection.profile.Rollups != nil
	} else {
		out.Recorded = e.config.DBPath != ""
	}
	return out
}

// explaining returns the target of a plan that shows, at each branch, the rollups which do not serve it.
func (t compileTarget) explaining() compileTarget {
	if t.planner.Rollups != nil {
		rollups := *t.planner.Rollups
		rollups.Explains = true
		t.planner.Rollups = &rollups
	}
	return t
}

// appendRollupTarget appends what a statement of a model with rollups depends on besides its dialect.
func appendRollupTarget(to []byte, t *plan.RollupTarget) []byte {
	if t == nil || t == noRollups {
		return to
	}
	to = append(append(to, " rollups of "...), t.Connection...)
	for _, name := range t.Schema { // which the profile may change
		to = append(append(to, 0), name.Text...)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Unusable)) {
		rejected := t.Unusable[name]
		to = append(append(append(append(append(to, 0), name...), 0), rejected.Rule...), rejected.Message...)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Fresh)) {
		to = append(append(append(to, " fresh "...), name...), t.Fresh[name].Cut.String()...)
	}
	if t.Local != nil && t.Local.TextsAreKnown {
		to = append(to, " with its texts"...)
	}
	if t.NotLocal != "" {
		to = append(append(to, " not local: "...), t.NotLocal...)
	}
	return to
}

// rollupUsesOf lists what the branches of some queries read, each once.
func rollupUsesOf(queries []*compiledQuery) []RollupUse {
	var out []RollupUse
	for _, c := range queries {
		for _, use := range c.end.Rollups {
			if !slices.ContainsFunc(out, func(o RollupUse) bool { return isSameRollupUse(o, use) }) {
				out = append(out, use)
			}
		}
	}
	return out
}

func isSameRollupUse(a, b RollupUse) bool {
	isSameRollup := a.Rollup == nil && b.Rollup == nil || a.Rollup != nil && b.Rollup != nil && *a.Rollup == *b.Rollup
	return isSameRollup && a.Home == b.Home && a.Tag == b.Tag && a.AsOf == b.AsOf && slices.Equal(a.Metrics, b.Metrics) && slices.Equal(a.WhyNot, b.WhyNot)
}

// key names the state of the table of a rollup: after a refresh, it is another one.
func (s rollupState) key(r *catalog.Rollup) string {
	return strings.Join([]string{r.Name, s.asOf.String(), s.record.AsOf.String(), s.record.BuiltAt.String(), s.record.Definition}, "@") + " "
}

// withFreshTime returns the uses of a statement with the time at which the fresh rows among them were read; zero changes none.
func (e *Engine) withFreshTime(uses []RollupUse, at time.Time) []RollupUse {
	if at.IsZero() {
		return uses
	}
	uses = slices.Clone(uses)
	for i, use := range uses {
		if use.Rollup != nil && hasFreshRows(e.cat.Rollup(*use.Rollup)) {
			uses[i].AsOf = formatAsOf(at)
		}
	}
	return uses
}

func hasFreshRows(r *catalog.Rollup) bool { return r.Refresh != nil && r.Refresh.Fresh }

func formatAsOf(at time.Time) string { return at.UTC().Format(time.RFC3339) }
