package periods

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
)

// Bucketing is what buckets of a calendar are: its days, or the periods of one name.
type Bucketing struct {
	Calendar *catalog.Calendar
	Period   *catalog.Period // nil: the days
}

// The columns of Buckets before those of the parents.
const (
	FirstDayColumnIndex = iota
	BucketNumberColumnIndex
)

// ParentNumberColumnIndex and Place are the columns of the i-th parent.
func ParentNumberColumnIndex(i int) int { return BucketNumberColumnIndex + 1 + 2*i }

// PlaceInParentColumnIndex returns the column of the place of a bucket among those of its i-th parent.
func PlaceInParentColumnIndex(i int) int { return ParentNumberColumnIndex(i) + 1 }

// PlanBucketTable returns a row for each bucket, in columns: its first day and its number in the calendar; then, for
// each of some longer periods, the number of the one that the first day is in, and the place of the bucket
// among those that begin in it. Numbers count from 1.
func (s PeriodPlanner) PlanBucketTable(b Bucketing, parents []*catalog.Period) (plan.Node, error) {
	return s.planBucketsMarkedIfInInterval(b, parents, nil)
}

// planBucketsMarkedIfInInterval plans the table of PlanBucketTable. With an interval of days, another column is 1 in the buckets
// that have a day in it, and NULL in others.
func (s PeriodPlanner) planBucketsMarkedIfInInterval(b Bucketing, parents []*catalog.Period, within *timerange.Interval) (plan.Node, error) {
	var read []*catalog.Period
	if b.Period != nil {
		read = append(read, b.Period)
	}
	rows, err := s.planCalendarDays(b.Calendar, append(read, parents...))
	if err != nil {
		return nil, err
	}
	// Per day: the first days of its periods, then their numbers.
	var marks []plan.NamedExpr
	first := make([]sqlexpr.Expr, 0, 1+len(parents))
	firsts := &plan.Window{Input: rows}
	columns := 1 + len(read) + len(parents)
	firstOf := func(value int) sqlexpr.Expr {
		e := newWindowCall(sqlexpr.FnMin, "MIN", newRef(0))
		e.Partition = []sqlexpr.Expr{newRef(value)}
		firsts.Funcs = append(firsts.Funcs, plan.NamedExpr{Name: numberedColumnName("first", value), Expr: newCaseWhen(isNotNull(newRef(value)), e), Type: sqlexpr.TypeDate})
		return newRef(columns + len(firsts.Funcs) - 1)
	}
	own := newRef(0)
	if b.Period != nil {
		own = firstOf(1)
	}
	first = append(first, own)
	for i := range parents {
		first = append(first, firstOf(1+len(read)+i))
	}
	if within != nil {
		e := newWindowCall(sqlexpr.FnMax, "MAX", markIfInInterval(newRef(0), *within))
		if b.Period != nil {
			e.Partition = []sqlexpr.Expr{newRef(1)}
		} else {
			e.Partition = []sqlexpr.Expr{newRef(0)}
		}
		firsts.Funcs = append(firsts.Funcs, plan.NamedExpr{Name: "in_range", Expr: e, Type: sqlexpr.TypeInt})
		marks = append(marks, plan.NamedExpr{Name: "in_range", Expr: newRef(columns + len(firsts.Funcs) - 1), Type: sqlexpr.TypeInt})
	}
	days := rows
	if len(firsts.Funcs) > 0 {
		days = firsts
	}
	width := len(days.Schema())
	numbers := &plan.Window{Input: days}
	for i, f := range first {
		e := newWindowCall(sqlexpr.FnDenseRank, "DENSE_RANK")
		e.Order = []sqlexpr.OrderItem{{X: f}}
		numbers.Funcs = append(numbers.Funcs, plan.NamedExpr{Name: numberedColumnName("number", i), Expr: newCaseWhen(isNotNull(f), e), Type: sqlexpr.TypeInt})
	}
	// Of each bucket the row of its first day.
	starts := &plan.Filter{Input: numbers, Conds: []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpEq, L: newRef(0), R: own}}, Why: "first days"}
	if b.Period == nil {
		starts.Conds = []sqlexpr.Expr{isNotNull(newRef(0))}
	}
	cols := []plan.NamedExpr{dateColumn("first_day", 0), {Name: "number", Expr: newRef(width), Type: sqlexpr.TypeInt}}
	if len(parents) == 0 {
		return &plan.Project{Input: starts, Cols: append(cols, marks...)}, nil
	}
	places := &plan.Window{Input: starts}
	placed := width + len(numbers.Funcs)
	for i, p := range parents {
		number := newRef(width + 1 + i)
		e := newWindowCall(sqlexpr.FnRowNumber, "ROW_NUMBER")
		e.Partition, e.Order = []sqlexpr.Expr{number}, []sqlexpr.OrderItem{{X: newRef(0)}}
		places.Funcs = append(places.Funcs, plan.NamedExpr{Name: numberedColumnName("place", i), Expr: newCaseWhen(isNotNull(number), e), Type: sqlexpr.TypeInt})
		cols = append(cols,
			plan.NamedExpr{Name: "number_of_" + p.Name, Expr: number, Type: sqlexpr.TypeInt},
			plan.NamedExpr{Name: "place_in_" + p.Name, Expr: newRef(placed + i), Type: sqlexpr.TypeInt})
	}
	return &plan.Project{Input: places, Cols: append(cols, marks...)}, nil
}

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

func newRef(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }

func isNotNull(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.IsNull{Not: true, X: x} }

func newCaseWhen(cond, then sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: then}}}
}

func newIntegerLiteral(n int64) sqlexpr.Expr {
	if n < 0 {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: newIntegerLiteral(-n)}
	}
	return &sqlexpr.Number{Text: strconv.FormatInt(n, 10)}
}

func newWindowCall(fn sqlexpr.Func, name string, args ...sqlexpr.Expr) *sqlexpr.WindowCall {
	return &sqlexpr.WindowCall{Call: &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: name}, Args: args}}
}

func dateColumn(name string, i int) plan.NamedExpr {
	return plan.NamedExpr{Name: name, Expr: newRef(i), Type: sqlexpr.TypeDate}
}

func numberedColumnName(name string, i int) string { return name + "_" + strconv.Itoa(i) }

func columnOfDerived(d *plan.Derived, i int) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn(d.Alias, sqlexpr.Name{Text: d.Schema()[i].Name, Quoted: true})
}
