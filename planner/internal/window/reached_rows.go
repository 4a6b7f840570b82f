package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/plan"
)

// addReachedRows adds the rows at which offsets of windows look. A window has a value there, whether its metric has data there or not:
//
//	rows ──┬────────────────────────► rows and reached rows ─► windows ─► offsets of windows
//	       └─► buckets so far away ────▲
//
// The condition is true of the rows that were there before; nil where none are added.
func addReachedRows(a *branch.Query, in *combine.Combined, isAdded func(*measure.Ref) bool, names *naming.Namer) (out *combine.Combined, isRow sqlexpr.Expr, err error) {
	reaches := reachesOfMovedWindows(a.Cols.MeasureRefs, isAdded)
	if len(reaches) == 0 {
		return in, nil, nil
	}
	width, keys := len(in.Node.Schema()), a.KeyCount()
	marked := append(in.Node.Schema().ColumnRefs(), plan.NamedExpr{Name: names.UniqueName("is_row"), Expr: build.Integer(1), Type: sqlexpr.TypeInt})
	var rows plan.Node = &plan.Project{Input: in.Node, Cols: marked}
	for _, r := range reaches {
		if r.window.Spec.Offset.Period == nil && !a.AttributesOf(r.axis, clock.TimeBounds{}).NeedsJoin() {
			if rows, err = r.addKeysByRepeat(a, rows, names); err != nil {
				return nil, nil, err
			}
			continue
		}
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
func (to reach) isAsFar(o reach) bool {
	x, y := to.window, o.window
	return x.AxisGroup == y.AxisGroup && x.N == y.N && x.Spec.Offset.Unit() == y.Spec.Offset.Unit() && x.Spec.Offset.Forward == y.Spec.Offset.Forward
}

// addKeysByRepeat adds the rows at which the offset looks in one reading of the rows, since an engine may compute shared rows at each
// mention of them:
//
//	rows ─► each twice ─► as it is, or the keys at which it looks ─► group by the keys
func (to reach) addKeysByRepeat(a *branch.Query, rows plan.Node, names *naming.Namer) (plan.Node, error) {
	copies := &plan.Repeat{Input: rows, Name: names.UniqueName("looks"), Count: 2}
	number := &sqlexpr.Ref{ID: len(rows.Schema())}
	isRow := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: number, R: build.Integer(0)}
	bucket, looks := to.bucketLookedAt(a)
	cols, keys := rows.Schema().ColumnRefs(), a.KeyCount()
	moved := slices.Clone(cols[:keys])
	if err := a.AttributesOf(to.axis, clock.TimeBounds{}).MoveKeys(moved, bucket, levelOf(a)); err != nil {
		return nil, err
	}
	for i := range cols {
		switch {
		case i >= keys:
			cols[i].Expr = build.CaseWhen(isRow, cols[i].Expr)
		case !sqlexpr.Equal(moved[i].Expr, cols[i].Expr):
			cols[i].Expr = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: isRow, Then: cols[i].Expr}}, Else: moved[i].Expr}
		}
	}
	read := &sqlexpr.Binary{Op: sqlexpr.OpOr, L: isRow, R: sqlexpr.And(looks...)}
	grouped := &plan.Project{Input: &plan.Filter{Input: copies, Conds: []sqlexpr.Expr{read}, Why: "rows with a bucket"}, Cols: cols}
	values := grouped.Schema().ColumnRefs()
	for i := keys; i < len(values); i++ {
		values[i].Expr = build.Call(sqlexpr.FnMax, "MAX", values[i].Expr)
	}
	return &plan.Aggregate{Input: grouped, Keys: values[:keys:keys], Measures: values[keys:], Why: "windows"}, nil
}

// bucketLookedAt returns the bucket at which an offset by a grain looks from a row, and the conditions on rows that look.
func (to reach) bucketLookedAt(a *branch.Query) (sqlexpr.Expr, []sqlexpr.Expr) {
	bucket, conds := &sqlexpr.Ref{ID: to.window.AxisGroup}, to.looks(a)
	if n, month := bucketsToOffset(a, to.window); month {
		conds = append(conds, monthHasDayCondition(bucket, n))
	}
	return bucketAtOffset(a, to.window, bucket), conds
}

// bucketsToOffset returns how many buckets away an offset by a grain looks; month is true where that counts months between days.
func bucketsToOffset(a *branch.Query, w *measure.Window) (n int, month bool) {
	n, month, _ = measure.OffsetInBuckets(w.N, w.Spec.Offset.Grain, a.Groups[w.AxisGroup].Grain)
	if !w.Spec.Offset.Forward {
		n = -n
	}
	return n, month
}

// bucketAtOffset returns the bucket at which an offset by a grain looks from another one.
func bucketAtOffset(a *branch.Query, w *measure.Window, bucket sqlexpr.Expr) sqlexpr.Expr {
	g := a.Groups[w.AxisGroup]
	n, month := bucketsToOffset(a, w)
	grain := g.Grain
	if month {
		grain = sqlexpr.GrainMonth
	}
	moved := build.Call(sqlexpr.FnDateAdd, "DATEADD", &sqlexpr.String{Value: grain.String()}, build.Integer(n), bucket)
	if !g.Grain.IsWithinDay() {
		return sqlexpr.DayOf(moved) // some engines add to a day and return a timestamp
	}
	return build.CastMovedInstant(moved, g.Type, a.In.Target.Caps.ZonesApart)
}

// looks returns the conditions on rows that look: they have a bucket.
func (to reach) looks(a *branch.Query) []sqlexpr.Expr {
	conds := []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: to.window.AxisGroup}}}
	if without := a.Levels.LevelsWithout(to.window.AxisGroup); len(without) > 0 {
		conds = append(conds, &sqlexpr.Unary{Op: sqlexpr.OpNot, X: levels.IsOneOf(&sqlexpr.Ref{ID: len(a.Groups)}, without)})
	}
	return conds
}

// levelOf returns the level of a row; nil where rows have none.
func levelOf(a *branch.Query) sqlexpr.Expr {
	if a.Levels.HasSeveralLevels() {
		return &sqlexpr.Ref{ID: len(a.Groups)}
	}
	return nil
}

// reachedKeys returns the keys of the rows at which the offset looks from some rows.
func (to reach) reachedKeys(a *branch.Query, rows plan.Node, names *naming.Namer) (plan.Node, error) {
	keys := rows.Schema().ColumnRefs()[:a.KeyCount()]
	if to.window.Spec.Offset.Period != nil {
		return to.keysInCalendar(a, &plan.Filter{Input: rows, Conds: to.looks(a), Why: "rows with a bucket"}, keys, names)
	}
	bucket, conds := to.bucketLookedAt(a)
	return to.rowsOfBuckets(a, &plan.Filter{Input: rows, Conds: conds, Why: "rows with a bucket"}, keys, bucket, levelOf(a), names)
}

// rowsOfBuckets returns the keys of rows with another bucket and its attributes, each once.
func (to reach) rowsOfBuckets(a *branch.Query, rows plan.Node, keys []plan.NamedExpr, bucket, level sqlexpr.Expr, names *naming.Namer) (plan.Node, error) {
	attributes := a.AttributesOf(to.axis, clock.TimeBounds{})
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
func (to reach) keysInCalendar(a *branch.Query, rows plan.Node, keys []plan.NamedExpr, names *naming.Namer) (plan.Node, error) {
	unit, group, back := to.window.Spec.Offset.Period, to.window.AxisGroup, int64(to.window.N)
	if to.window.Spec.Offset.Forward {
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
	return to.rowsOfBuckets(a, joined, keys, build.DerivedColumn(moves, periods.EarlierDayColumn), level, names)
}
