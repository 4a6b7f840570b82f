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
	"github.com/semlayer/semlayer/planner/plan"
)

// periodsOfTag are the periods of a calendar that meet the range of a tag.
type periodsOfTag struct {
	group  int // that carries the periods
	days   timerange.Interval
	column int // of the matched rows: it is not NULL in these periods
}

// WithPeriodsOfTags adds to the matched rows the columns by which ConditionOfTag distinguishes the periods of calendars: only the warehouse
// has the days of a period.
//
//	matched rows ─► join the first days of the periods that meet the range ─► the column of each range
func (c *Combined) WithPeriodsOfTags(a *branch.Query, refs []int, names *naming.Namer) (*Combined, error) {
	rows := &plan.Derived{Input: c.Node, Alias: "buckets", Why: "windows"}
	cols := build.DerivedColumns(rows)
	out, from := *c, plan.Node(rows)
	for _, i := range refs {
		u := a.Cols.MeasureRefs[i]
		days, ok := a.DaysOfTag(u)
		if !ok || out.columnOfTag(u.Window.Buckets, days) >= 0 {
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
		out.tags = append(out.tags, periodsOfTag{u.Window.Buckets, days, len(cols)})
		cols = append(cols, plan.NamedExpr{Name: names.UniqueName("period_in_range"), Expr: build.DerivedColumn(d, 0), Type: sqlexpr.TypeDate})
	}
	if len(out.tags) == len(c.tags) {
		return c, nil
	}
	return out.WithRows(&plan.Project{Input: from, Cols: cols}), nil
}

// columnOfTag returns the column that is not NULL in the periods of a group that have some days; -1 where it is not there.
func (c *Combined) columnOfTag(group int, days timerange.Interval) int {
	i := slices.IndexFunc(c.tags, func(o periodsOfTag) bool { return o.group == group && o.days.Equal(days) })
	if i < 0 {
		return -1
	}
	return c.tags[i].column
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
		inRange = &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: c.columnOfTag(w.Buckets, days)}}
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
