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
	cols := build.DerivedColumns(buckets)
	var level sqlexpr.Expr
	if _, ok := rows.(*plan.GroupingSets); ok {
		level = build.DerivedColumn(buckets, len(r.branch.Q.Groups))
	}
	if err := r.attributes().MoveKeys(cols, build.DerivedColumn(later, periods.CurrentDayColumn), level); err != nil {
		return nil, err
	}
	return &plan.Project{
		Input: &plan.Join{
			Left: buckets, Right: later, Kind: plan.InnerJoin, Cardinality: "one row per bucket of the window",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(buckets, w.AxisGroup), Right: build.DerivedColumn(later, periods.EarlierDayColumn)}},
		},
		Cols: cols,
	}, nil
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
