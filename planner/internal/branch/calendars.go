package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/rollup"
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
func (p *calendarJoins) periodKey(group int, day sqlexpr.Expr) (sqlexpr.Expr, error) {
	g := p.branch.Q.Groups[group]
	for _, t := range p.tables {
		if t.group < 0 {
			continue
		}
		if o := p.branch.Q.Groups[t.group]; o.Period == g.Period && p.branch.Br.groupRef(o).IsSame(p.branch.Br.groupRef(g)) {
			return t.days.FirstDayOfPeriod(), nil // the group whose values top merges
		}
	}
	days, err := p.periodTableOf(group)
	if err != nil {
		return nil, err
	}
	t := periods.NewDayTable(g.Period, days, p.branch.Tree.UniqueAlias(g.Period.Name), day)
	p.tables = append(p.tables, calendarTable{group, t})
	return t.FirstDayOfPeriod(), nil
}

// periodTableOf returns the table of a group's periods. Where the branch reads periods out of range, it marks the ones in
// range.
func (p *calendarJoins) periodTableOf(group int) (plan.Node, error) {
	period, tables := p.branch.Q.Groups[group].Period, p.branch.Q.In.NewPeriodPlanner()
	if !p.ScansPeriodsOutsideRange() || p.branch.Br.ScanRange.Group != group {
		return tables.PlanDayTable(period)
	}
	r := p.branch.Q.Ranges[max(p.branch.Br.ScanRange.Tag, 0)]
	return tables.PlanDayTableWithIntervalMark(period, compare.WholeDayInterval(r.Interval, p.branch.NewBranchRangeConditions().clockOfRef(p.branch.Br.rangeRef(r))))
}

// calendarTableOf returns the table of a group.
func (p *calendarJoins) calendarTableOf(group int) calendarTable {
	i := slices.IndexFunc(p.tables, func(t calendarTable) bool { return t.group == group })
	return p.tables[i]
}

// joinCalendars adds the tables of the groups to the rows of the branch.
func (p *calendarJoins) joinCalendars(rows plan.Node) plan.Node {
	for _, t := range p.tables {
		rows = t.days.Join(rows)
	}
	return rows
}

// movesGroupKey reports whether the key of a group moves by a table in this branch.
func (p *calendarJoins) movesGroupKey(group int) bool {
	return p.branch.movesBuckets() && p.branch.Q.Compare.Periods != nil && group == p.branch.Q.Compare.BucketGroup
}

// readsWholeEarlierPeriods reports whether the branch reads the earlier periods whole.
func (p *calendarJoins) readsWholeEarlierPeriods() bool {
	return p.branch.movesBuckets() && p.branch.Q.Compare.Periods != nil && p.branch.Q.Compare.Periods.Whole
}

// movedBucketKey returns the current bucket that an earlier one meets; NULL where it meets none.
func (p *calendarJoins) movedBucketKey(bucket sqlexpr.Expr) sqlexpr.Expr {
	t := periods.NewBucketMoveTable(p.branch.Q.Compare.Periods.NewPeriodMovesTable(p.branch.Tree.UniqueAlias("moved")), bucket)
	p.tables = append(p.tables, calendarTable{-1, t})
	return t.FirstDayOfPeriod()
}

// dropPreviousPeriodsWithoutCurrent drops the earlier periods that meet no current one, which have no bucket.
func (p *calendarJoins) dropPreviousPeriodsWithoutCurrent(in plan.Node) plan.Node {
	met := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: p.branch.Q.Compare.BucketGroup}}
	return &plan.Filter{Input: in, Conds: p.branch.Q.Compare.ExemptLevelsWithoutBucket([]sqlexpr.Expr{met}), Why: "buckets that meet one of the current range"}
}

// ScansPeriodsOutsideRange reports whether the branch reads periods of a calendar beside those in range.
func (p *calendarJoins) ScansPeriodsOutsideRange() bool {
	s := p.branch.Br.ScanRange
	return s.ReadsBeyondRange() && p.branch.Q.Groups[s.Group].Period != nil
}

// HasRowsInRangeCountColumn reports whether a column of the branch counts the rows in range.
func (p *calendarJoins) HasRowsInRangeCountColumn() bool {
	return p.branch.HasLevelsOverExtendedRange() || p.ScansPeriodsOutsideRange()
}

// PeriodsInRangeCondition returns the condition that keeps the periods with rows in range, and those that are filled; at the
// level without group-bys the one row.
func (p *calendarJoins) PeriodsInRangeCondition(rowsInRange int) sqlexpr.Expr {
	rows := &sqlexpr.Ref{ID: rowsInRange}
	var out sqlexpr.Expr = &sqlexpr.Binary{Op: sqlexpr.OpGt, L: rows, R: build.Integer(0)}
	if p.branch.Q.GapFill != nil {
		out = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: out, R: &sqlexpr.IsNull{X: rows}}
	}
	if total := p.branch.Q.Levels.LevelOfGroupSet(nil); total >= 0 && p.branch.Q.Levels.HasSeveralLevels() {
		out = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: out, R: rollup.IsOneOf(&sqlexpr.Ref{ID: len(p.branch.Q.Groups)}, []int{total})}
	}
	return out
}
