package periods

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
)

// PeriodPlanner is what the tables of calendars are planned against.
type PeriodPlanner struct {
	Catalog *catalog.Catalog
	Dialect string
	Caps    plan.Capabilities
}

// PlanDayTable returns a row for each day of a calendar that is in a period: the day, and the first day of its period.
func (s PeriodPlanner) PlanDayTable(p *catalog.Period) (plan.Node, error) {
	rows, err := s.planCalendarDays(p.Calendar, []*catalog.Period{p})
	if err != nil {
		return nil, err
	}
	in := &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{isNotNull(newRef(1))}, Why: "days in a period"}
	first := newWindowCall(sqlexpr.FnMin, "MIN", newRef(0))
	first.Partition = []sqlexpr.Expr{newRef(1)}
	return &plan.Project{
		Input: &plan.Window{Input: in, Funcs: []plan.NamedExpr{{Name: "first_day", Expr: first, Type: sqlexpr.TypeDate}}},
		Cols:  []plan.NamedExpr{dateColumn("day", 0), dateColumn("first_day", 2)},
	}, nil
}

// PlanPeriodStarts returns a row for each period that has a day in an interval of days: its first day, under a name.
func (s PeriodPlanner) PlanPeriodStarts(p *catalog.Period, within timerange.Interval, name string) (plan.Node, error) {
	days, err := s.PlanDayTable(p)
	if err != nil {
		return nil, err
	}
	if conds := within.WithinConditions(newRef(0), placeholderDateField); len(conds) > 0 {
		days = &plan.Filter{Input: days, Conds: conds, Why: "days in range"}
	}
	return &plan.Aggregate{Input: days, Keys: []plan.NamedExpr{dateColumn(name, 1)}, Why: "periods in range"}, nil
}

// planCalendarDays returns the days of a calendar, followed by the values of the fields of periods.
func (s PeriodPlanner) planCalendarDays(c *catalog.Calendar, periods []*catalog.Period) (plan.Node, error) {
	tree := joins.New(s.Catalog, s.Dialect, s.Caps, c.Dataset, joins.Tables{})
	day, err := tree.FieldExpr(tree.Root(), c.Date, "")
	if err != nil {
		return nil, err
	}
	cols := []plan.NamedExpr{{Name: "day", Expr: joins.TruncateDateFieldToDay(day, c.Date), Type: sqlexpr.TypeDate}}
	for i, p := range periods {
		value, err := tree.FieldExpr(tree.Root(), p.Field, "")
		if err != nil {
			return nil, err
		}
		cols = append(cols, plan.NamedExpr{Name: numberedColumnName("value", i), Expr: joins.TruncateDateFieldToDay(value, p.Field), Type: p.Field.Type})
	}
	from, err := tree.Plan()
	if err != nil {
		return nil, err
	}
	return &plan.Project{Input: from, Cols: cols}, nil
}

// placeholderDateField types conditions on days; the model does not have it.
var placeholderDateField = &catalog.Field{Type: sqlexpr.TypeDate}

// markIfInInterval is 1 for a day in an interval, else NULL.
func markIfInInterval(day sqlexpr.Expr, within timerange.Interval) sqlexpr.Expr {
	conds := within.WithinConditions(day, placeholderDateField)
	if len(conds) == 0 {
		conds = []sqlexpr.Expr{isNotNull(day)}
	}
	return newCaseWhen(sqlexpr.And(conds...), newIntegerLiteral(1))
}
