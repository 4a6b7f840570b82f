package grouping

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/plan"
)

// calendarTable is a table by which the days of a group find their periods.
type calendarTable struct {
	group int // -1: of no group, but of what compare moves
	days  periods.DayTable
}

// calendarJoins are the tables of calendars that the rows of one branch join, in their order.
type calendarJoins struct {
	branch *Planner
	tables []calendarTable
}

// periodKey returns the first day of the period that a day is in, for a group.
func (j *calendarJoins) periodKey(group int, day sqlexpr.Expr) (sqlexpr.Expr, error) {
	g := j.branch.Q.Groups[group]
	for _, t := range j.tables {
		if t.group < 0 {
			continue
		}
		if o := j.branch.Q.Groups[t.group]; o.Period == g.Period && j.branch.Br.GroupRef(o).IsSame(j.branch.Br.GroupRef(g)) {
			return t.days.FirstDayOfPeriod(), nil // the group whose values top merges
		}
	}
	days, err := j.branch.Q.In.NewPeriodPlanner().PlanDayTable(g.Period)
	if err != nil {
		return nil, err
	}
	t := periods.NewDayTable(g.Period, days, j.branch.Tree.UniqueAlias(g.Period.Name), day)
	j.tables = append(j.tables, calendarTable{group, t})
	return t.FirstDayOfPeriod(), nil
}

// JoinCalendars adds the tables of the groups to the rows of the branch.
func (j *calendarJoins) JoinCalendars(rows plan.Node) plan.Node {
	for _, t := range j.tables {
		rows = t.days.Join(rows)
	}
	return rows
}

// movesGroupKey reports whether the key of a group moves by a table in this branch.
func (j *calendarJoins) movesGroupKey(group int) bool {
	return j.movesByPeriods() && group == j.branch.Comparison().BucketGroup
}

// readsWholeEarlierPeriods reports whether the branch reads the earlier periods whole.
func (j *calendarJoins) readsWholeEarlierPeriods() bool {
	return j.movesByPeriods() && j.branch.Comparison().Periods.Whole
}

// movesByPeriods reports whether the buckets of the branch move by the periods of a calendar.
func (j *calendarJoins) movesByPeriods() bool {
	return j.branch.MovesBuckets() && j.branch.Comparison().Periods != nil
}

// movedBucketKey returns the current bucket that an earlier one meets; NULL where it meets none.
func (j *calendarJoins) movedBucketKey(bucket sqlexpr.Expr) sqlexpr.Expr {
	t := periods.NewBucketMoveTable(j.branch.Comparison().Periods.NewPeriodMovesTable(j.branch.Tree.UniqueAlias("moved")), bucket)
	j.tables = append(j.tables, calendarTable{-1, t})
	return t.FirstDayOfPeriod()
}
