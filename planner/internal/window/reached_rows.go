package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/plan"
)

// addReachedRows adds the rows at which offsets of windows look. A window has a value there, whether its metric has data there or not:
//
//	rows ──┬────────────────────────► rows and reached rows ─► windows ─► offsets of windows
//	       └─► buckets so far away ────▲
//
// The condition is true of the rows that were there before; nil where none are added.
func addReachedRows(a *branch.Query, in *branch.Combined, isAdded func(*measure.Ref) bool, names *naming.Namer) (out *branch.Combined, isRow sqlexpr.Expr, err error) {
	reaches := reachesOfMovedWindows(a.Cols.MeasureRefs, isAdded)
	if len(reaches) == 0 {
		return in, nil, nil
	}
	width, keys := len(in.Node.Schema()), a.KeyCount()
	marked := append(in.Node.Schema().ColumnRefs(), plan.NamedExpr{Name: names.UniqueName("is_row"), Expr: build.Integer(1), Type: sqlexpr.TypeInt})
	var rows plan.Node = &plan.Project{Input: in.Node, Cols: marked}
	for _, r := range reaches {
		reached, err := r.reachedKeys(a, build.SharedRows(rows, "rows_that_look", "windows"), names)
		if err != nil {
			return nil, nil, err
		}
		branches := []plan.Node{build.SharedRows(rows, "rows", "windows"), reached}
		rows = &plan.Combine{Keys: keys, Branches: branches, Zero: make([]bool, width+1-keys)}
	}
	return in.WithMoreRows(rows), &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: width}}, nil
}

// reach is how far an offset of windows looks.
type reach struct {
	window *measure.Window
	axis   *catalog.Field
	depth  int // the number of offsets that move the offset itself
}

// reachesOfMovedWindows lists how far offsets of windows look: each distance once, and first what no other offset moves.
func reachesOfMovedWindows(refs []*measure.Ref, isAdded func(*measure.Ref) bool) []reach {
	var out []reach
	for _, u := range refs {
		w := u.Window
		if !isAdded(u) || !w.Base.MovesWindows {
			continue
		}
		r := reach{window: w, axis: u.Axis}
		for by := w.MovedBy; by != nil; by = by.MovedBy {
			r.depth++
		}
		if !slices.ContainsFunc(out, func(o reach) bool { return o.depth == r.depth && o.isAsFar(r) }) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b reach) int { return a.depth - b.depth })
	return out
}

// isAsFar reports whether two offsets look at the same bucket.
func (r reach) isAsFar(o reach) bool {
	x, y := r.window, o.window
	return x.AxisGroup == y.AxisGroup && x.N == y.N && x.Spec.Offset.Unit() == y.Spec.Offset.Unit() && x.Spec.Offset.Forward == y.Spec.Offset.Forward
}

// reachedKeys returns the keys of the rows at which the offset looks from some rows.
func (r reach) reachedKeys(a *branch.Query, rows plan.Node, names *naming.Namer) (plan.Node, error) {
	group := r.window.AxisGroup
	bucket := &sqlexpr.Ref{ID: group}
	conds := []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: bucket}}
	if without := a.Levels.LevelsWithout(group); len(without) > 0 {
		conds = append(conds, &sqlexpr.Unary{Op: sqlexpr.OpNot, X: rollup.IsOneOf(&sqlexpr.Ref{ID: len(a.Groups)}, without)})
	}
	keys := rows.Schema().ColumnRefs()[:a.KeyCount()]
	o, g := r.window.Spec.Offset, a.Groups[group]
	if o.Period != nil {
		return r.keysInCalendar(a, &plan.Filter{Input: rows, Conds: conds, Why: "rows with a bucket"}, keys, names)
	}
	grain := g.Grain
	n, month, _ := measure.OffsetInBuckets(r.window.N, o.Grain, g.Grain)
	if !o.Forward {
		n = -n
	}
	if month {
		grain = sqlexpr.GrainMonth
		conds = append(conds, monthHasDayCondition(bucket, n))
	}
	moved := build.Call(sqlexpr.FnDateAdd, "DATEADD", &sqlexpr.String{Value: grain.String()}, build.Integer(n), bucket)
	var level sqlexpr.Expr
	if a.Levels.HasSeveralLevels() {
		level = &sqlexpr.Ref{ID: len(a.Groups)}
	}
	looking := &plan.Filter{Input: rows, Conds: conds, Why: "rows with a bucket"}
	if !g.Grain.IsWithinDay() {
		return r.rowsOfBuckets(a, looking, keys, sqlexpr.DayOf(moved), level, names) // some engines add to a day and return a timestamp
	}
	return r.rowsOfBuckets(a, looking, keys, build.CastMovedInstant(moved, g.Type, a.In.Target.Caps.ZonesApart), level, names)
}

// rowsOfBuckets returns the keys of rows with another bucket and its attributes, each once.
func (r reach) rowsOfBuckets(a *branch.Query, rows plan.Node, keys []plan.NamedExpr, bucket, level sqlexpr.Expr, names *naming.Namer) (plan.Node, error) {
	attributes := a.AttributesOf(r.axis, clock.TimeBounds{})
	if err := attributes.MoveKeys(keys, bucket, level); err != nil {
		return nil, err
	}
	if attributes.NeedsJoin() {
		moved, err := attributes.Join(&plan.Project{Input: rows, Cols: keys}, "reached", "windows", names)
		if err != nil {
			return nil, err
		}
		rows, keys = moved, moved.Schema().ColumnRefs()
	}
	return &plan.Aggregate{Input: rows, Keys: keys, Why: "windows"}, nil
}

// keysInCalendar returns the keys of the rows at which an offset by periods of a calendar looks.
func (r reach) keysInCalendar(a *branch.Query, rows plan.Node, keys []plan.NamedExpr, names *naming.Namer) (plan.Node, error) {
	unit, group, back := r.window.Spec.Offset.Period, r.window.AxisGroup, int64(r.window.N)
	if r.window.Spec.Offset.Forward {
		back = -back
	}
	pairs, err := a.In.NewPeriodPlanner().PlanBucketMoveTable(periods.EarlierToCurrentBucketMapping{
		Bucketing: periods.Bucketing{Calendar: unit.Calendar, Period: a.Groups[group].Period}, Unit: unit, Count: back,
	})
	if err != nil {
		return nil, err
	}
	looking := &plan.Derived{Input: rows, Alias: "looking", Why: "windows"}
	moves := &plan.Derived{Input: pairs, Alias: "moves", Why: "calendar " + unit.Calendar.Dataset.Name}
	on := []plan.JoinEquality{{Left: build.DerivedColumn(looking, group), Right: build.DerivedColumn(moves, periods.CurrentDayColumn)}}
	for i := range keys {
		keys[i].Expr = build.DerivedColumn(looking, i)
	}
	var level sqlexpr.Expr
	if a.Levels.HasSeveralLevels() {
		level = build.DerivedColumn(looking, len(a.Groups))
	}
	joined := &plan.Join{Left: looking, Right: moves, Kind: plan.InnerJoin, On: on, Cardinality: "one row per bucket"}
	return r.rowsOfBuckets(a, joined, keys, build.DerivedColumn(moves, periods.EarlierDayColumn), level, names)
}
