package periods

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// DayTable is a table of the days of a calendar, as PlanDayTable makes it, that rows join on a day of theirs.
type DayTable struct {
	table *plan.Derived
	day   sqlexpr.Expr
}

// NewDayTable names the table under which rows find the period of a day.
func NewDayTable(p *catalog.Period, days plan.Node, alias string, day sqlexpr.Expr) DayTable {
	return DayTable{&plan.Derived{Input: days, Alias: alias, Why: "calendar " + p.Calendar.Dataset.Name}, day}
}

// NewBucketMoveTable returns a table of Moves, which rows join on a bucket of theirs; FirstDayColumnIndex is the bucket that it
// meets.
func NewBucketMoveTable(moves *plan.Derived, bucket sqlexpr.Expr) DayTable {
	return DayTable{moves, bucket}
}

// FirstDayOfPeriod returns the first day of the period of a row; NULL where the calendar lacks the day.
func (t DayTable) FirstDayOfPeriod() sqlexpr.Expr { return columnOfDerived(t.table, 1) }

// Join adds the table to the rows.
func (t DayTable) Join(rows plan.Node) plan.Node {
	on := []plan.JoinEquality{{Left: t.day, Right: columnOfDerived(t.table, 0)}}
	return &plan.Join{Left: rows, Right: t.table, Kind: plan.LeftJoin, On: on, Cardinality: "one row per day"}
}
