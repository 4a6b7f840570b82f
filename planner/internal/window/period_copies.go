package window

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/plan"
)

// copyRowsToPeriods copies each row to the periods of a calendar whose windows it is in. Rows beside all periods are in
// none.
//
//	rows ─► join the periods that each period reaches ─► first day of the reached one
func (r recomputedWindowPlanner) copyRowsToPeriods(rows plan.Node) (*plan.Project, error) {
	w := r.branch.Br.Members[0].Ref.InputOf
	period := r.branch.Q.Groups[w.AxisGroup].Period
	table, err := r.branch.Q.In.NewPeriodPlanner().PlanLaterBucketPairs(periods.Bucketing{Calendar: period.Calendar, Period: period}, int64(w.N))
	if err != nil {
		return nil, err
	}
	buckets := &plan.Derived{Input: rows, Alias: "buckets", Why: "windows"}
	later := &plan.Derived{Input: table, Alias: r.names.UniqueName("later_buckets"), Why: "calendar " + period.Calendar.Dataset.Name}
	_, hasLevels := rows.(*plan.GroupingSets)
	cols := build.DerivedColumns(buckets)
	for i, g := range r.branch.Q.Groups {
		if !g.ReadsAxis(r.windowAxis()) || g.IsRemainder {
			continue
		}
		cols[i].Expr = build.DerivedColumn(later, periods.CurrentDayColumn)
		if hasLevels {
			cols[i].Expr = r.nullKeyOutsideLevels(i, cols[i].Expr, build.DerivedColumn(buckets, len(r.branch.Q.Groups)))
		}
	}
	out := &plan.Project{
		Input: &plan.Join{
			Left: buckets, Right: later, Kind: plan.InnerJoin, Cardinality: "one row per bucket of the window",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(buckets, w.AxisGroup), Right: build.DerivedColumn(later, periods.EarlierDayColumn)}},
		},
		Cols: cols,
	}
	return r.mergeBucketsOutsideTop(out, hasLevels), nil
}

// isCalendarPeriodOverDayBuckets reports whether a group of the axis is a period of a calendar, and the buckets of the window are days
// or finer.
func (r recomputedWindowPlanner) isCalendarPeriodOverDayBuckets(group int) bool {
	g, axis := r.branch.Q.Groups[group], r.branch.Q.Groups[r.branch.Br.Members[0].Ref.InputOf.AxisGroup]
	return g.Period != nil && axis.Period == nil && g.ReadsAxis(r.windowAxis()) && !g.IsRemainder
}

func (r recomputedWindowPlanner) hasCalendarPeriodsOverDayBuckets() bool {
	for i := range r.branch.Q.Groups {
		if r.isCalendarPeriodOverDayBuckets(i) {
			return true
		}
	}
	return false
}

// replaceDaysByPeriods puts the periods of calendars in place of the days that rows were moved to.
func (r recomputedWindowPlanner) replaceDaysByPeriods(rows *plan.Project) (*plan.Project, error) {
	if !r.hasCalendarPeriodsOverDayBuckets() {
		return rows, nil
	}
	moved := &plan.Derived{Input: rows, Alias: "moved", Why: "windows"}
	cols := build.DerivedColumns(moved)
	var from plan.Node = moved
	for i, g := range r.branch.Q.Groups {
		if !r.isCalendarPeriodOverDayBuckets(i) {
			continue
		}
		days, err := r.branch.Q.In.NewPeriodPlanner().PlanDayTable(g.Period)
		if err != nil {
			return nil, err
		}
		t := periods.NewDayTable(g.Period, days, r.names.UniqueName(g.Period.Name), cols[i].Expr)
		from, cols[i].Expr = t.Join(from), t.FirstDayOfPeriod()
	}
	return &plan.Project{Input: from, Cols: cols}, nil
}

// joinResetPeriodOfBucket returns the period that a bucket begins in, over rows that are joined with the periods of a calendar
// where it is one of these.
func (r recomputedWindowPlanner) joinResetPeriodOfBucket(rows plan.Node, bucket plan.NamedExpr, reset catalog.GrainOrPeriod) (plan.Node, sqlexpr.Expr, error) {
	if reset.Period == nil {
		period := r.branch.Q.In.Times.Clock.BucketExpr(bucket.Expr, &catalog.Field{Type: bucket.Type}, reset.Grain, clock.TimeBounds{})
		return rows, period, nil
	}
	days, err := r.branch.Q.In.NewPeriodPlanner().PlanDayTable(reset.Period)
	if err != nil {
		return nil, nil, err
	}
	t := periods.NewDayTable(reset.Period, days, r.branch.Tree.UniqueAlias(reset.Period.Name), bucket.Expr)
	return t.Join(rows), t.FirstDayOfPeriod(), nil
}
