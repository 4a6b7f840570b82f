package combine

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// periodsWithDays are the periods of a calendar that have some days.
type periodsWithDays struct {
	group  int // that carries the periods
	days   timerange.Interval
	column int // of the matched rows: it is not NULL in these periods
}

// WithPeriodsInRanges adds to the matched rows the columns by which ConditionOfTag and CutBucketCondition distinguish the periods of calendars:
// only the warehouse has the days of a period.
//
//	matched rows ─► join the first days of the periods that meet the range ─► the column of each range
func (c *Combined) WithPeriodsInRanges(a *branch.Query, refs []int, names *naming.Namer) (*Combined, error) {
	rows := &plan.Derived{Input: c.Node, Alias: "buckets", Why: "windows"}
	cols := build.DerivedColumns(rows)
	out, from := *c, plan.Node(rows)
	for _, i := range refs {
		u := a.Cols.MeasureRefs[i]
		for _, days := range c.daysToTellApart(a, u) {
			if out.columnOfPeriods(u.Window.Buckets, days) >= 0 {
				continue
			}
			period := a.Groups[u.Window.Buckets].Period
			starts, err := a.In.NewPeriodPlanner().PlanPeriodStarts(period, days, "first_day")
			if err != nil {
				return nil, err
			}
			d := &plan.Derived{Input: starts, Alias: names.UniqueName("in_range"), Why: "calendar " + period.Calendar.Dataset.Name}
			from = &plan.Join{
				Left: from, Right: d, Kind: plan.LeftJoin, Cardinality: "one row per period",
				On: []plan.JoinEquality{{Left: build.DerivedColumn(rows, u.Window.Buckets), Right: build.DerivedColumn(d, 0)}},
			}
			out.periods = append(out.periods, periodsWithDays{u.Window.Buckets, days, len(cols)})
			cols = append(cols, plan.NamedExpr{Name: names.UniqueName("period_in_range"), Expr: build.DerivedColumn(d, 0), Type: sqlexpr.TypeDate})
		}
	}
	if len(out.periods) == len(c.periods) {
		return c, nil
	}
	return out.WithRows(&plan.Project{Input: from, Cols: cols}), nil
}

// daysToTellApart lists the days of which a window asks whether a period has them.
func (c *Combined) daysToTellApart(a *branch.Query, u *measure.Ref) []timerange.Interval {
	var out []timerange.Interval
	if days, ok := a.DaysOfTag(u); ok {
		out = append(out, days)
	}
	if w := u.Window; w.Cut != nil && a.Groups[w.Buckets].Period != nil {
		out = append(out, a.DaysFromEnd(u))
	}
	return out
}

// CutBucketCondition returns the condition that the end of the range of a window cuts a bucket, where the window looks at later ones; nil for
// any other window.
func (c *Combined) CutBucketCondition(a *branch.Query, u *measure.Ref) sqlexpr.Expr {
	w := u.Window
	if w.Cut == nil {
		return nil
	}
	bucket, ending := &sqlexpr.Ref{ID: w.Buckets}, where.Range{Interval: timerange.Interval{End: w.Cut.End}}
	if a.Groups[w.Buckets].Period == nil {
		ending.Interval.Start = w.Cut.End
		return sqlexpr.And(ending.BucketsInRange(a.In, a.Groups[w.Buckets].Grain, u.Axis, bucket)...)
	}
	goesOn := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: c.columnOfPeriods(w.Buckets, a.DaysFromEnd(u))}}
	return sqlexpr.And(append(ending.BucketsInRange(a.In, sqlexpr.GrainDay, u.Axis, bucket), goesOn)...)
}

// columnOfPeriods returns the column that is not NULL in the periods of a group that have some days; -1 where it is not there.
func (c *Combined) columnOfPeriods(group int, days timerange.Interval) int {
	i := slices.IndexFunc(c.periods, func(o periodsWithDays) bool { return o.group == group && o.days.Equal(days) })
	if i < 0 {
		return -1
	}
	return c.periods[i].column
}

// ConditionOfTag returns the condition that a bucket meets the range of the tag of a window; nil for a window that has a value outside of it
// too.
func (c *Combined) ConditionOfTag(a *branch.Query, u *measure.Ref) sqlexpr.Expr {
	r, ok := a.RangeOfTag(u)
	if !ok {
		return nil
	}
	w, bucket := u.Window, &sqlexpr.Ref{ID: u.Window.Buckets}
	var inRange sqlexpr.Expr
	if days, ok := a.DaysOfTag(u); ok {
		inRange = &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: c.columnOfPeriods(w.Buckets, days)}}
		if !w.NeedsBucket() {
			inRange = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: inRange, R: c.isNullBucketInRange(w)}
		}
	} else {
		inRange = sqlexpr.And(r.BucketsInRange(a.In, a.Groups[w.Buckets].Grain, u.Axis, bucket)...)
	}
	if without := a.Levels.LevelsWithout(w.Buckets); len(without) > 0 {
		inRange = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: inRange, R: levels.IsOneOf(&sqlexpr.Ref{ID: len(a.Groups)}, without)}
	}
	return inRange
}

// isNullBucketInRange returns the condition on the row without a period that a window has rows in range there.
func (c *Combined) isNullBucketInRange(w *measure.Window) sqlexpr.Expr {
	isNull := &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: w.Buckets}}
	var shown sqlexpr.Expr
	for i, g := range c.Branches {
		if !slices.ContainsFunc(w.Base.Inputs, func(ref int) bool { return c.slots[ref].Branch == i }) {
			continue
		}
		cond := g.IsShownCondition(c.first[i])
		switch {
		case cond == nil: // the branch has rows in range everywhere
			return isNull
		case shown == nil:
			shown = cond
		default:
			shown = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: shown, R: cond}
		}
	}
	return sqlexpr.And(isNull, shown)
}
