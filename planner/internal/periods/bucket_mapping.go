package periods

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
)

// EarlierToCurrentBucketMapping leads from earlier buckets to those of a current range of days: to the bucket Count units later or,
// without a unit, from the first bucket of an earlier range to the first of the current one, and so on.
type EarlierToCurrentBucketMapping struct {
	Bucketing
	Unit     *catalog.Period // nil: between two ranges
	Count    int64
	Current  timerange.Interval
	Previous timerange.Interval // without a unit
}

// The columns of Moves.
const (
	EarlierDayColumn = iota
	CurrentDayColumn
)

// PlanBucketMoveTable returns a row for each bucket of the current range that an earlier one meets: the first days of both.
func (s PeriodPlanner) PlanBucketMoveTable(m EarlierToCurrentBucketMapping) (plan.Node, error) {
	if m.Unit == nil {
		return s.joinBucketsByPosition(m)
	}
	var parents []*catalog.Period
	left, right := []int{BucketNumberColumnIndex}, []int{BucketNumberColumnIndex}
	if m.Unit != m.Period {
		parents = []*catalog.Period{m.Unit}
		left, right = []int{ParentNumberColumnIndex(0), PlaceInParentColumnIndex(0)}, []int{ParentNumberColumnIndex(0), PlaceInParentColumnIndex(0)}
	}
	earlier, err := s.PlanBucketTable(m.Bucketing, parents)
	if err != nil {
		return nil, err
	}
	current, err := s.planBucketsMarkedIfInInterval(m.Bucketing, parents, &m.Current)
	if err != nil {
		return nil, err
	}
	return m.joinEarlierToCurrent(earlier, keepMarkedBuckets(current), left, right), nil
}

// joinBucketsByPosition counts the buckets of both ranges.
func (s PeriodPlanner) joinBucketsByPosition(m EarlierToCurrentBucketMapping) (plan.Node, error) {
	var sides [2]plan.Node
	for i, within := range []timerange.Interval{m.Previous, m.Current} {
		all, err := s.planBucketsMarkedIfInInterval(m.Bucketing, nil, &within)
		if err != nil {
			return nil, err
		}
		place := newWindowCall(sqlexpr.FnRowNumber, "ROW_NUMBER")
		place.Order = []sqlexpr.OrderItem{{X: newRef(FirstDayColumnIndex)}}
		sides[i] = &plan.Project{
			Input: &plan.Window{Input: keepMarkedBuckets(all), Funcs: []plan.NamedExpr{{Name: "place", Expr: place, Type: sqlexpr.TypeInt}}},
			Cols:  []plan.NamedExpr{dateColumn("first_day", FirstDayColumnIndex), {Name: "number", Expr: newRef(len(all.Schema())), Type: sqlexpr.TypeInt}},
		}
	}
	return m.joinEarlierToCurrent(sides[0], sides[1], []int{BucketNumberColumnIndex}, []int{BucketNumberColumnIndex}), nil
}

// PlanLaterBucketPairs returns a row for each bucket and each of the n buckets from it on, as far as the calendar has them: the first days
// of both, in the columns of Moves.
func (s PeriodPlanner) PlanLaterBucketPairs(b Bucketing, n int64) (plan.Node, error) {
	earlier, err := s.PlanBucketTable(b, nil)
	if err != nil {
		return nil, err
	}
	later, err := s.PlanBucketTable(b, nil)
	if err != nil {
		return nil, err
	}
	e := &plan.Derived{Input: &plan.Repeat{Input: earlier, Name: "buckets_later", Count: n}, Alias: "earlier_buckets", Why: "windows"}
	l := &plan.Derived{Input: later, Alias: "later_buckets", Why: "windows"}
	number := &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: columnOfDerived(e, BucketNumberColumnIndex), R: columnOfDerived(e, BucketNumberColumnIndex+1)}
	return &plan.Project{
		Input: &plan.Join{
			Left: e, Right: l, Kind: plan.InnerJoin, Cardinality: "one row per bucket",
			On: []plan.JoinEquality{{Left: number, Right: columnOfDerived(l, BucketNumberColumnIndex)}},
		},
		Cols: []plan.NamedExpr{
			{Name: "earlier_day", Expr: columnOfDerived(e, FirstDayColumnIndex), Type: sqlexpr.TypeDate},
			{Name: "later_day", Expr: columnOfDerived(l, FirstDayColumnIndex), Type: sqlexpr.TypeDate},
		},
	}, nil
}

// keepMarkedBuckets keeps the buckets whose last column marks them.
func keepMarkedBuckets(buckets plan.Node) plan.Node {
	return &plan.Filter{Input: buckets, Conds: []sqlexpr.Expr{isNotNull(newRef(len(buckets.Schema()) - 1))}, Why: "buckets in range"}
}

// joinEarlierToCurrent joins the buckets of both sides; the first of the columns is so many units later.
func (m EarlierToCurrentBucketMapping) joinEarlierToCurrent(earlier, current plan.Node, left, right []int) plan.Node {
	e := &plan.Derived{Input: earlier, Alias: "earlier_buckets", Why: "compare"}
	c := &plan.Derived{Input: current, Alias: "current_buckets", Why: "compare"}
	on := make([]plan.JoinEquality, len(left))
	for i := range left {
		on[i] = plan.JoinEquality{Left: columnOfDerived(e, left[i]), Right: columnOfDerived(c, right[i])}
	}
	if m.Unit != nil {
		on[0].Left = &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: on[0].Left, R: newIntegerLiteral(m.Count)}
	}
	return &plan.Project{
		Input: &plan.Join{Left: e, Right: c, Kind: plan.InnerJoin, On: on, Cardinality: "one row per bucket"},
		Cols: []plan.NamedExpr{
			{Name: "earlier_day", Expr: columnOfDerived(e, FirstDayColumnIndex), Type: sqlexpr.TypeDate},
			{Name: "current_day", Expr: columnOfDerived(c, FirstDayColumnIndex), Type: sqlexpr.TypeDate},
		},
	}
}
