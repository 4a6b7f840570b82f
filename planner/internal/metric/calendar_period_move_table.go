package metric

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// calendarPeriodMoveTable moves the earlier buckets of compare to the current ones by a table, because only the warehouse
// has the days of periods:
//
//	earlier branch ─► day ─► first day of its period ─► moves ─► current bucket
type calendarPeriodMoveTable struct {
	moves plan.Node // of PeriodPlanner.PlanBucketMoveTable
	whole bool      // earlier periods are read whole, outside of the range too
}

// checkOffsetUnit rejects an offset by a period of a calendar that no group has, and a unit that does not count the
// buckets of the group.
func (r comparisonResolver) checkOffsetUnit(group int) error {
	unit := r.offsetUnit()
	if group < 0 && unit.Period != nil {
		return r.periodNotGroupedError(unit)
	}
	if unit.IsZero() || group < 0 || r.groups[group].CanCountBucketsIn(unit) {
		return nil
	}
	return r.partialOffsetError(group, unit)
}

// periodNotGroupedError returns the error of an offset by a period in a query that does not group the range's field.
func (r comparisonResolver) periodNotGroupedError(unit catalog.GrainOrPeriod) error {
	field := scope.MetricTime
	if !r.current.onAxis {
		field = r.current.ref.Text()
	}
	items := append(slices.Clone(r.in.Query.GroupBy), query.GroupBy{Field: field, Grain: unit.String()})
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "compare.offset counts the periods " + unit.String() + " of a calendar, so the query must group the field of its range by a period of that calendar",
		Fragment: map[string]any{"group_by": items},
	}
}

// needsCalendarPeriods reports whether only the warehouse has the buckets of a group that meet.
func (r comparisonResolver) needsCalendarPeriods(group int) bool {
	return r.groups[group].Period != nil || r.offsetUnit().Period != nil
}

func (r comparisonResolver) planCalendarPeriodMoveTable(group int) (*calendarPeriodMoveTable, error) {
	unit, c := r.offsetUnit().Period, r.in.Times.Clock.WithoutZone()
	period := r.groups[group].Period
	m := periods.EarlierToCurrentBucketMapping{
		Bucketing: periods.Bucketing{Calendar: cmp.Or(period, unit).Calendar, Period: period}, Unit: unit,
		Current: wholeDayInterval(r.current.interval, c), Previous: wholeDayInterval(r.previous.interval, c),
	}
	if offset := r.in.Query.Compare.Offset; offset != nil {
		m.Count = offset.Count
	}
	moves, err := r.in.NewPeriodPlanner().PlanBucketMoveTable(m)
	return &calendarPeriodMoveTable{moves, unit != nil}, err
}

// movesGroupKey reports whether the key of a group moves by a table in this branch.
func (p *calendarJoins) movesGroupKey(group int) bool {
	return p.branch.movesBuckets() && p.branch.q.compare.periods != nil && group == p.branch.q.compare.bucketGroup
}

// readsWholeEarlierPeriods reports whether the branch reads the earlier periods whole.
func (p *calendarJoins) readsWholeEarlierPeriods() bool {
	return p.branch.movesBuckets() && p.branch.q.compare.periods != nil && p.branch.q.compare.periods.whole
}

// movedBucketKey returns the current bucket that an earlier one meets; NULL where it meets none.
func (p *calendarJoins) movedBucketKey(bucket sqlexpr.Expr) sqlexpr.Expr {
	t := periods.NewBucketMoveTable(p.branch.q.compare.periods.newPeriodMovesTable(p.branch.tree.UniqueAlias("moved")), bucket)
	p.tables = append(p.tables, calendarTable{-1, t})
	return t.FirstDayOfPeriod()
}

// newPeriodMovesTable returns the table of the moves, which is one for the statement.
func (m *calendarPeriodMoveTable) newPeriodMovesTable(alias string) *plan.Derived {
	return &plan.Derived{Input: m.moves, Alias: alias, Why: "compare", Shared: true}
}

// dropPreviousPeriodsWithoutCurrent drops the earlier periods that meet no current one, which have no bucket.
func (p *calendarJoins) dropPreviousPeriodsWithoutCurrent(in plan.Node) plan.Node {
	met := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: p.branch.q.compare.bucketGroup}}
	return &plan.Filter{Input: in, Conds: p.branch.q.compare.exemptLevelsWithoutBucket([]sqlexpr.Expr{met}), Why: "buckets that meet one of the current range"}
}

// joinEarlierPeriods adds the earlier period that each bucket meets, after all columns.
func (c *rangeComparison) joinEarlierPeriods(in *CombinedBranches) *CombinedBranches {
	rows := &plan.Derived{Input: in.Node, Alias: "compared", Why: "compare"}
	moves := c.periods.newPeriodMovesTable("met")
	cols := build.DerivedColumns(rows)
	names := naming.NewNamer()
	for _, col := range cols {
		names.UniqueName(col.Name)
	}
	out := *in
	out.earlier = len(cols)
	out.Node = &plan.Project{
		Input: &plan.Join{
			Left: rows, Right: moves, Kind: plan.LeftJoin, Cardinality: "one row per bucket",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(rows, c.bucketGroup), Right: build.DerivedColumn(moves, periods.CurrentDayColumn)}},
		},
		Cols: append(cols, plan.NamedExpr{Name: names.UniqueName("earlier_day"), Expr: build.DerivedColumn(moves, periods.EarlierDayColumn), Type: sqlexpr.TypeDate}),
	}
	return &out
}
