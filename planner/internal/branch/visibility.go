package branch

import (
	"slices"

	"github.com/semlayer/semlayer/planner/internal/measure"
)

// Visibility is how the rows that a query shows are distinguished from those that it only reads.
type Visibility struct {
	HidesRows bool
	ByBucket  bool // the buckets in range are shown, and no others
}

// VisibilityOf decides how shown rows are distinguished.
func VisibilityOf(q *Query, branches []*Branch) Visibility {
	out := Visibility{ByBucket: true}
	var first *Branch
	for _, br := range branches {
		switch {
		case br.MovesRows():
			out.HidesRows = true
			out.ByBucket = out.ByBucket && q.GapFill != nil
			continue
		case br.ScanRange.Beyond:
			out.HidesRows = true
			if first == nil {
				first = br
			}
			out.ByBucket = out.ByBucket && !br.CountsRowsInRange(q) && br.ScanRange.ShowsSameBuckets(first.ScanRange)
		default:
			out.ByBucket = false
		}
	}
	return out
}

// decideRowCounts decides which branches count the rows of their groups: those whose rows windows, or what is shown, distinguish
// from the rows that other branches and fill add.
func (f *branchBuilder) decideRowCounts() {
	movesWindows := func(u *measure.Ref) bool { return u.Window != nil && u.Window.Base.MovesWindows }
	v, everyRow := VisibilityOf(f.q, f.branches), len(f.branches) == 1 && f.q.GapFill == nil && !slices.ContainsFunc(f.q.Cols.MeasureRefs, movesWindows)
	for i, br := range f.branches {
		asked := v.HidesRows && !v.ByBucket && !br.CountsRowsInRange(f.q) || slices.ContainsFunc(br.Members, func(u Member) bool {
			w := u.Ref.InputOf
			return w != nil && w.AsksForData() && (!everyRow || f.q.HasRowWithoutGroups() && !w.Spec.IsTimeOrdered())
		}) || slices.ContainsFunc(br.Members, func(u Member) bool { return f.isReadAtLevels(u.Ref) })
		f.branches[i].CountsRows = asked && !br.MovesRows()
	}
}

// isReadAtLevels reports whether a window that distinguishes rows with data reads the measure at levels without buckets.
func (f *branchBuilder) isReadAtLevels(ref *measure.Ref) bool {
	return slices.ContainsFunc(f.q.Cols.MeasureRefs, func(u *measure.Ref) bool {
		return u.Window != nil && u.Window.InRange != nil && u.Window.AsksForData() && slices.ContainsFunc(u.Window.InRange.Inputs, func(i int) bool {
			return f.q.Cols.MeasureRefs[i] == ref
		})
	})
}

// HasRowWithoutGroups reports whether the result has a row of all rows, which is there without any too.
func (a *Query) HasRowWithoutGroups() bool {
	return len(a.Groups) == 0 || a.Levels.LevelOfGroupSet(nil) >= 0
}

// CountsRowsInRange reports whether a column of the branch counts the rows in range: it reads others too, and the bucket does not
// say whether a row of it is shown. A cut bucket, and a level without the bucket, may have rows out of range alone.
func (br *Branch) CountsRowsInRange(q *Query) bool {
	s := br.ScanRange
	return s.Beyond && !br.MovesRows() &&
		(s.StartCut || s.EndCut && !s.EndsWithRange || q.Groups[s.Group].Period != nil || len(q.Levels.LevelsWithout(s.Group)) > 0)
}

// MovesRows reports whether a window moves the rows of the branch to other groups.
func (br *Branch) MovesRows() bool { return !br.Read.Kind.ReadsOwnBucket() }
