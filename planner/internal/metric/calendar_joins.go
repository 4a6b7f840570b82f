package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/compare"
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
	branch *branchPlanner
	tables []calendarTable
}

// periodKey returns the first day of the period that a day is in, for a group.
func (p *calendarJoins) periodKey(group int, day sqlexpr.Expr) (sqlexpr.Expr, error) {
	g := p.branch.q.groups[group]
	for _, t := range p.tables {
		if t.group < 0 {
			continue
		}
		if o := p.branch.q.groups[t.group]; o.Period == g.Period && p.branch.br.groupRef(o).IsSame(p.branch.br.groupRef(g)) {
			return t.days.FirstDayOfPeriod(), nil // the group whose values top merges
		}
	}
	days, err := p.periodTableOf(group)
	if err != nil {
		return nil, err
	}
	t := periods.NewDayTable(g.Period, days, p.branch.tree.UniqueAlias(g.Period.Name), day)
	p.tables = append(p.tables, calendarTable{group, t})
	return t.FirstDayOfPeriod(), nil
}

// periodTableOf returns the table of a group's periods. Where the branch reads periods out of range, it marks the ones in
// range.
func (p *calendarJoins) periodTableOf(group int) (plan.Node, error) {
	period, tables := p.branch.q.groups[group].Period, p.branch.q.in.NewPeriodPlanner()
	if !p.scansPeriodsOutsideRange() || p.branch.br.scanRange.Group != group {
		return tables.PlanDayTable(period)
	}
	r := p.branch.q.ranges[max(p.branch.br.scanRange.Tag, 0)]
	return tables.PlanDayTableWithIntervalMark(period, compare.WholeDayInterval(r.Interval, p.branch.newBranchRangeConditions().clockOfRef(p.branch.br.rangeRef(r))))
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
