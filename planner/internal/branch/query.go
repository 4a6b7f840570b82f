package branch

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/fill"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/lod"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// RangeOfConjunct returns the interval of a time field, on its clock, that a conjunct keeps; ok is false for any other conjunct.
func (a *Query) RangeOfConjunct(c where.Conjunct) (ref resolve.Ref, interval timerange.Interval, ok bool) {
	if c.Member != nil {
		return ref, interval, false
	}
	if c.Range != nil {
		ref, interval = resolve.Ref{Field: c.Range.Axis}, c.Range.Interval
	} else {
		id, i, isRange := where.RangeOfCondition(a.In, a.Conds.Refs, c.Expr)
		if !isRange {
			return ref, interval, false
		}
		ref, interval = a.Conds.Refs[id], i
	}
	return ref, interval.OnClock(a.In.Times.Clock.ForField(ref.Field)), true
}

// KeyCount returns the number of columns that identify a row: the group-bys, and the level where there are several.
func (a *Query) KeyCount() int { return levels.CountKeys(a.Groups, a.Levels) }

// Query is a query with everything in it resolved: what it requests, before it is
// decided how that is computed.
type Query struct {
	In     *scope.Env
	Sel    scope.Selection
	Groups []scope.Group
	Levels levels.Levels
	Cols   measure.Expansion
	Conds  where.Conditions
	Ranges []where.Range
	Lod    lod.Planner
	Root   *catalog.Dataset // of a query with distinct; nil without
	Top    *top.Spec        // nil where the query has none
	// RankedBy is the query over whose rows Top ranks the values; nil for the query itself.
	RankedBy *Query
	// Compare is nil without the key.
	Compare compare.Comparisons
	// filling is nil where the query fills nothing.
	GapFill *fill.Fill
	// LevelTables are those of metrics at other levels, in the order of the expansion. They are planned after the query.
	LevelTables []LevelTable
	// LevelsAreBranches: the tables have the rows of the query.
	LevelsAreBranches bool
}

// OfBranch returns the query with those conditions and ranges of its view that the rows of a branch lead to.
func (a *Query) OfBranch(br *Branch) *Query {
	if a.In.View == nil {
		return a
	}
	out := *a
	out.Conds, out.Ranges = a.Conds.OfBranch(a.In, br.Home, br.Axis, a.Ranges)
	return &out
}

// LevelTable is a planned table of a metric at another level: a row for each group of the group-bys that it keeps. Its columns are
// these, the level where it has several, and the values. Without a node no column reads it.
type LevelTable struct {
	Table *measure.LevelTable
	Node  plan.Node
	// Levels gives for each level of the query the level of its rows; nil where the table has one level.
	Levels []int
}

// RangeOfTag returns the range of the tag of a window; false for a window that has a value outside of it too: one without a tag, and one
// that an offset reads at another bucket.
func (a *Query) RangeOfTag(u *measure.Ref) (where.Range, bool) {
	if u.Tag < 0 || a.Compare != nil || u.Window.Buckets < 0 || u.Window.MovedBy != nil {
		return where.Range{}, false
	}
	return where.RangeOfAxis(a.In, a.Ranges, a.Conds, u.Axis, u.Tag)
}

// DaysOfTag returns the days of the range of the tag of a window over periods of a calendar; false for any other window.
func (a *Query) DaysOfTag(u *measure.Ref) (timerange.Interval, bool) {
	r, ok := a.RangeOfTag(u)
	if !ok || a.Groups[u.Window.Buckets].Period == nil {
		return timerange.Interval{}, false
	}
	return compare.WholeDayInterval(r.Interval, a.In.Times.Clock.ForField(u.Axis)), true
}

// DaysFromEnd returns the days from the end of the range of a window on, which cuts a bucket.
func (a *Query) DaysFromEnd(u *measure.Ref) timerange.Interval {
	return compare.WholeDayInterval(timerange.Interval{Start: u.Window.Cut.End}, a.In.Times.Clock.ForField(u.Axis))
}
