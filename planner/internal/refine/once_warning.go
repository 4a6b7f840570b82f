package refine

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/planerr"
)

// oncePerGroupWarning returns the warning about columns whose metrics count each row once in each group; nil
// where the query has none.
func (a resultPlanner) oncePerGroupWarning(in *combine.Combined) []planerr.QueryWarning {
	if !slices.ContainsFunc(in.Branches, countsOncePerGroup) {
		return nil
	}
	var columns []string
	for _, c := range a.q.Cols.Columns {
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
func rowsWithoutGroup(in *combine.Combined) []string {
	var out []string
	for _, b := range in.Branches {
		if !countsOncePerGroup(b) {
			continue
		}
		home, root := b.Branch.Br.Home, b.Branch.Routing.Root
		text := "rows of " + home.Name + " without a row of " + root.Name
		if root != home && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// countsOncePerGroup reports whether a branch counts each row of its home once in each group.
func countsOncePerGroup(g grouping.Grouped) bool { return g.Branch != nil && g.Branch.Once != nil }

// countsRowsOncePerGroup reports whether a column is made of an aggregate that counts each row once in each group. A
// share is, where the column that it divides is.
func (a resultPlanner) countsRowsOncePerGroup(in *combine.Combined, c measure.Column) bool {
	if c.Expr == nil {
		for _, whole := range a.q.Cols.Columns {
			if whole.Expr != nil && whole.Metric == c.Metric && a.countsRowsOncePerGroup(in, whole) {
				return true
			}
		}
		return false
	}
	for _, e := range []sqlexpr.Expr{c.Expr, c.Previous} {
		for r := range sqlexpr.Refs(e) {
			counts := func(i int) bool {
				return countsOncePerGroup(in.BranchOf(i)) && a.q.Cols.MeasureRefs[i].IsDuplicateSensitive()
			}
			if slices.ContainsFunc(a.inputsOf(r.ID), counts) {
				return true
			}
		}
	}
	return false
}

// inputsOf lists the measure references that one is computed from: itself, or what a window reads.
func (a resultPlanner) inputsOf(ref int) []int {
	switch u := a.q.Cols.MeasureRefs[ref]; {
	case u.Window != nil:
		return u.Window.Base.Inputs
	case u.Level != nil:
		return nil // whose branches are those of its table
	}
	return []int{ref}
}
