package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// countsOncePerGroup reports whether the query has each row of a branch's home counted once in each
// group where joins repeat it. The home needs a key to distinguish its rows by, and a semi-additive
// measure is not made of all rows.
func (r branchJoinRouteFinder) countsOncePerGroup(br *measureBranch) bool {
	return br.nonAdditive == nil && r.q.in.Query.FanOut == query.FanOutOncePerGroup && len(br.home.PrimaryOrFirstUniqueKeyColumns()) > 0
}

// countRowsOncePerGroupHint returns the hint for a query that repeats the rows of a branch's home; "" where it
// cannot.
func (r branchJoinRouteFinder) countRowsOncePerGroupHint(br *measureBranch) string {
	const ask = `ask with "fan_out": "` + query.FanOutOncePerGroup + `"`
	const effect = " to count each row once in each group"
	declare := "declare the primary_key of the dataset " + br.home.Name
	switch {
	case br.nonAdditive != nil:
		return ""
	case len(br.home.PrimaryOrFirstUniqueKeyColumns()) > 0:
		return ask + effect
	case r.q.in.Query.FanOut == "":
		return declare + " and " + ask + effect
	}
	return declare + effect
}

// oncePerGroupWarning returns the warning about columns whose metrics count each row once in each group; nil
// where the query has none.
func (a resultPlanner) oncePerGroupWarning(in *CombinedBranches) []planerr.QueryWarning {
	if !slices.ContainsFunc(in.nodes, func(b plannedBranch) bool { return len(b.once) > 0 }) {
		return nil
	}
	var columns []string
	for _, c := range a.q.cols.Columns {
		if a.countsRowsOncePerGroup(in, c) {
			columns = append(columns, c.Name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	message := "a row that is in several groups counts once in each of them, so the values of " + joinNames(columns) + " do not add up over the groups"
	if unmatched := rowsWithoutGroup(in); len(unmatched) > 0 {
		message += "; " + strings.Join(unmatched, ", ") + " are left out: they are in no group and in no total"
	}
	return []planerr.QueryWarning{{Code: planerr.WarningFanOutOnce, Columns: columns, Message: message}}
}

// rowsWithoutGroup names the rows of homes that no row of the root of their branch refers to: "rows of potters without a
// row of firings".
func rowsWithoutGroup(in *CombinedBranches) []string {
	var out []string
	for _, b := range in.nodes {
		for _, once := range b.once {
			home, root := once.plan.br.home, once.plan.routing.root
			text := "rows of " + home.Name + " without a row of " + root.Name
			if root != home && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// readsDuplicateSensitiveMeasure reports whether repetition of rows would falsify a measure, or one that a window over an
// expression reads.
func (a resultPlanner) readsDuplicateSensitiveMeasure(u *measure.Ref) bool {
	if u.Window == nil || u.Window.Base == nil {
		return u.IsDuplicateSensitive()
	}
	return slices.ContainsFunc(u.Window.Base.Inputs, func(i int) bool { return a.q.cols.MeasureRefs[i].IsDuplicateSensitive() })
}

// countsRowsOncePerGroup reports whether a column is made of an aggregate that counts each row once in each group. A
// share is, where the column that it divides is.
func (a resultPlanner) countsRowsOncePerGroup(in *CombinedBranches, c measure.Column) bool {
	if c.Expr == nil {
		for _, whole := range a.q.cols.Columns {
			if whole.Expr != nil && whole.Metric == c.Metric && a.countsRowsOncePerGroup(in, whole) {
				return true
			}
		}
		return false
	}
	found := false
	for _, e := range []sqlexpr.Expr{c.Expr, c.Previous} {
		sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
			if r, ok := x.(*sqlexpr.Ref); ok {
				found = found || len(in.nodes[in.slots[r.ID].branch].once) > 0 && a.readsDuplicateSensitiveMeasure(a.q.cols.MeasureRefs[r.ID])
			}
			return !found
		})
	}
	return found
}
