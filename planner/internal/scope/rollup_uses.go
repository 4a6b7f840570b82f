package scope

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// RollupUses is what the branches of a query read, in the order in which they are planned.
type RollupUses struct {
	list []rollupUse
}

// rollupUse is what one branch reads.
type rollupUse struct {
	plan.RollupUse
	// aligned is the time range of the query with bounds at which a rollup can serve the branch; nil where another rule fails too.
	aligned *query.TimeRange
}

// newRollupUses returns an empty list; nil where the query reads base tables, and where the model has no rollup that it could report.
func newRollupUses(in *Env) *RollupUses {
	if in.Target.Rollups == nil || in.Query == nil {
		return nil
	}
	switch in.Query.Rollups.Or(query.RollupsAllowed) {
	case query.RollupsOff:
		return nil
	case query.RollupsAllowed:
		if len(in.Cat.Rollups) == 0 && !in.Target.Rollups.Needs {
			return nil
		}
	}
	return new(RollupUses)
}

// Add adds what one branch reads. aligned is the time range of the query that a rollup could serve the branch in; nil for none.
func (u *RollupUses) Add(use plan.RollupUse, aligned *query.TimeRange) {
	u.list = append(u.list, rollupUse{use, aligned})
}

// Report lists what the branches read.
func (u *RollupUses) Report() []plan.RollupUse {
	if u == nil || len(u.list) == 0 {
		return nil
	}
	out := make([]plan.RollupUse, len(u.list))
	for i, use := range u.list {
		out[i] = use.RollupUse
	}
	return out
}

// maxRollupCandidates bounds the rollups that an error names.
const maxRollupCandidates = 20

// Check rejects a query that reads base tables and asks for rollups only.
func (u *RollupUses) Check(q *query.MetricQuery) error {
	if u == nil || q.Rollups.Or(query.RollupsAllowed) != query.RollupsOnly {
		return nil
	}
	at := slices.IndexFunc(u.list, func(use rollupUse) bool { return use.Rollup == nil })
	if at < 0 {
		return nil
	}
	use := u.list[at]
	e := &planerr.Error{
		Code: planerr.CodeNoRollup, Metrics: use.Metrics, Message: "no rollup serves the branch of " + use.Home,
		SuggestedRetry: `use base tables too: {"rollups":true}`, Fragment: map[string]any{"rollups": query.RollupsAllowed},
	}
	for _, r := range use.WhyNot[:min(len(use.WhyNot), maxRollupCandidates)] {
		e.Candidates = append(e.Candidates, r.Rollup)
	}
	if len(use.WhyNot) == 0 {
		e.Message += ": the model declares none of " + use.Home
		return e
	}
	first := use.WhyNot[0]
	e.Message += "; " + first.Rollup + " does not: " + first.Message
	if use.aligned != nil {
		e.Message += "; the enclosing range from " + sqlexpr.Format(&sqlexpr.String{Value: use.aligned.Start}) + " to " + sqlexpr.Format(&sqlexpr.String{Value: use.aligned.End}) + " has other rows than the one from " +
			sqlexpr.Format(&sqlexpr.String{Value: q.TimeRange.Start}) + " to " + sqlexpr.Format(&sqlexpr.String{Value: q.TimeRange.End})
		e.SuggestedRetry, e.Fragment = "use whole periods of the rollup", map[string]any{"time_range": *use.aligned}
	}
	return e
}
