package retry

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/query"
)

// RemoveGroup returns the fragment of a query without one of its groups.
func RemoveGroup(q *query.MetricQuery, groups []scope.Group, g scope.Group) map[string]any {
	return RemoveGroups(q, groups, func(o scope.Group) bool { return o.Index == g.Index && o.IsRemainder == g.IsRemainder })
}

// RemoveGroups returns the fragment of a query without some of its groups, and without what names their columns. The
// column of merged values goes with top, which makes it.
func RemoveGroups(q *query.MetricQuery, groups []scope.Group, isRemoved func(scope.Group) bool) map[string]any {
	r := groupRemovalRetry{query: q}
	var removed []int
	for _, g := range groups {
		switch {
		case isRemoved(g) && g.IsRemainder:
			r.losesTop = true
		case isRemoved(g):
			removed = append(removed, g.Index)
			r.losesTop = r.losesTop || q.Top != nil && q.Top.Dimension == g.Name
		case !g.IsRemainder:
			r.kept = append(r.kept, g.Name)
		}
	}
	for _, g := range groups {
		isGone := g.IsRemainder && r.losesTop || slices.Contains(removed, g.Index) && !g.IsRemainder
		if isGone && !slices.Contains(r.kept, g.Name) {
			r.names = append(r.names, g.Name)
		}
	}
	fragment := r.otherChangedKeys()
	if len(removed) > 0 {
		rest := []query.GroupBy{}
		for i, item := range q.GroupBy {
			if !slices.Contains(removed, i) {
				rest = append(rest, item)
			}
		}
		fragment["group_by"] = rest
	}
	return fragment
}

// RemoveGroupsReading returns the fragment of a query without the groups that read one of some references; nil where none does.
func RemoveGroupsReading(q *query.MetricQuery, groups []scope.Group, refs []resolve.Ref) map[string]any {
	reads := func(g scope.Group) bool {
		return !g.IsRemainder && g.ReadsMatchingRef(func(ref resolve.Ref) bool { return slices.ContainsFunc(refs, ref.IsSame) })
	}
	if !slices.ContainsFunc(groups, reads) {
		return nil
	}
	return RemoveGroups(q, groups, reads)
}

// groupRemovalRetry is what a query loses with some of its groups.
type groupRemovalRetry struct {
	query       *query.MetricQuery
	kept, names []string // columns of the groups that stay, and of those that go
	losesTop    bool
}

func (r groupRemovalRetry) isRemovedColumn(name string) bool { return slices.Contains(r.names, name) }

// otherChangedKeys returns the keys beside group_by that name a column that goes, as they are without it.
func (r groupRemovalRetry) otherChangedKeys() map[string]any {
	out := map[string]any{}
	if slices.ContainsFunc(r.query.OrderBy, func(o query.OrderBy) bool { return r.isRemovedColumn(o.Key) }) {
		out["order_by"] = slices.DeleteFunc(slices.Clone(r.query.OrderBy), func(o query.OrderBy) bool { return r.isRemovedColumn(o.Key) })
	}
	switch top := r.query.Top; {
	case r.losesTop:
		out["top"] = nil
	case top != nil && slices.ContainsFunc(top.Within, r.isRemovedColumn):
		changed := *top
		changed.Within = slices.DeleteFunc(slices.Clone(top.Within), r.isRemovedColumn)
		out["top"] = &changed
	}
	if totals, changed := r.remainingTotals(); changed {
		out["totals"] = totals
		if len(totals) == 0 {
			out["totals"] = nil
		}
	}
	if shares, changed := r.remainingShares(); changed {
		out["shares"] = shares
	}
	return out
}

// remainingTotals returns the levels of the groups that stay: each once, and none with all of them.
func (r groupRemovalRetry) remainingTotals() (out [][]string, changed bool) {
	for _, level := range r.query.Totals {
		rest := slices.DeleteFunc(slices.Clone(level), r.isRemovedColumn)
		isSame := func(other []string) bool { return naming.HaveSame(other, rest) }
		if isSame(r.kept) || slices.ContainsFunc(out, isSame) {
			changed = true
			continue
		}
		changed = changed || len(rest) < len(level)
		out = append(out, rest)
	}
	return out, changed
}

// remainingShares returns the shares of the remaining levels, each once.
func (r groupRemovalRetry) remainingShares() (out []query.ShareRequest, changed bool) {
	for _, s := range r.query.Shares {
		rest := query.ShareRequest{Metric: s.Metric, Of: slices.DeleteFunc(slices.Clone(s.Of), r.isRemovedColumn)}
		isSame := func(o query.ShareRequest) bool { return o.Metric == rest.Metric && naming.HaveSame(o.Of, rest.Of) }
		if slices.ContainsFunc(out, isSame) {
			changed = true
			continue
		}
		changed = changed || len(rest.Of) < len(s.Of)
		out = append(out, rest)
	}
	return out, changed
}

// DropMetric returns a retry without one of the requested metrics; nil where that leaves
// none, or all.
func DropMetric(in *scope.Env, owner string) map[string]any {
	rest := naming.Remove(in.Query.Metrics, owner)
	if len(rest) == 0 || len(rest) == len(in.Query.Metrics) {
		return nil
	}
	return map[string]any{"metrics": in.Query.MetricItemsNamed(rest)}
}

// ReplaceGrain returns a group_by with the grain of one item changed.
func ReplaceGrain(items []query.GroupBy, g scope.Group, unit fmt.Stringer) []query.GroupBy {
	groups := slices.Clone(items)
	groups[g.Index].Grain = unit.String()
	return groups
}

// DropComparison returns a retry without a comparison.
func DropComparison(q *query.MetricQuery, i int) map[string]any {
	if rest := q.Compare.Without(i); rest != nil {
		return map[string]any{"compare": rest}
	}
	return map[string]any{"compare": nil}
}
