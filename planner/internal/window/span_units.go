package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// rollingExpr returns a function over the last buckets, or over the units of a span.
func (w planner) rollingExpr(value sqlexpr.Expr) sqlexpr.Expr {
	if w.win.Base.Expanded {
		return w.spanUnitsExpr(value)
	}
	most, _ := w.win.MaxCoveredBuckets(w.bucketGrain())
	frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: (1 - most) * measure.BucketOrdinalStride(w.bucketGrain())}}
	over := w.newPartitionedWindowCall(value, frame)
	if w.win.Spec.Rolling.RequireFullWindow {
		return w.nullUnlessFull(over, w.win.N)
	}
	return w.zeroWithoutData(over)
}

// spanUnitsExpr returns a function over the units of a span, which the branch has computed.
func (w planner) spanUnitsExpr(value sqlexpr.Expr) sqlexpr.Expr {
	s := w.win.Spec.Rolling
	r, plain := w.win.Base.Expr.(*sqlexpr.Ref)
	isZero := s.Function == sqlexpr.FnCount || s.Function == sqlexpr.FnSum && plain && w.query.Cols.MeasureRefs[r.ID].Measure.IsZeroOverNoRows()
	if s.RequireFullWindow || !isZero {
		return value
	}
	return build.CoalesceToNumber(value, "0")
}

// spanUnitPlanner plans the branch of a rolling window over a span whose units are not the buckets.
type spanUnitPlanner struct{ rows recomputedWindowPlanner }

// aggregateUnits applies the function of a rolling window to the values of the units of its span.
//
//	rows ─► the buckets whose spans have them ─► value of each unit ─► function over the units
func (s spanUnitPlanner) aggregateUnits(from plan.Node) (plan.Node, error) {
	r := s.rows
	w, arg := r.branch.Br.Members[0].Ref.InputOf, r.args[0]
	names := naming.NewNamer()
	cols := append(make([]plan.NamedExpr, 0, len(r.keys)+4), r.keys...)
	for _, k := range cols {
		names.UniqueName(k.Name)
	}
	units := spanUnits{window: w, bucket: r.branch.Q.Groups[w.AxisGroup].Grain, span: r.span, first: len(cols)}
	cols = append(cols, units.columnsOfRows(names)...)
	values := []plan.NamedExpr{{Name: names.UniqueName(arg.Value.Name), Expr: arg.Value.Expr, Type: arg.Value.Type}}
	isAggregated := r.branch.Br.Read.AggregatesBeforeCopies(arg.Measure)
	var input plan.Node
	if isAggregated {
		input = &plan.Aggregate{Input: from, Keys: cols, Measures: values, Home: r.branch.Br.Home.Name, Why: "buckets"}
	} else {
		if arg.OrderBy != nil {
			values = append(values, plan.NamedExpr{Name: names.UniqueName("order_key"), Expr: arg.OrderBy, Type: aggregates.TypeOverFields(r.branch.Q.In.Cat, arg.Measure.OrderBy)})
		}
		input = &plan.Project{Input: from, Cols: append(cols, values...)}
	}
	copies, moved := r.repeatInLaterBuckets(input)
	unit, inSpan := units.unitOfCopy(moved)
	copies = &plan.Filter{Input: copies, Conds: []sqlexpr.Expr{inSpan}, Why: "span"}
	kept := input.Schema().ColumnRefs()
	kept = append(append(kept[:units.first:units.first], plan.NamedExpr{Name: names.UniqueName("unit_of_span"), Expr: unit, Type: sqlexpr.TypeInt}), kept[len(cols):]...)
	placed, err := projectMovedKeys(r, copies, kept, moved, nil)
	if err != nil {
		return nil, err
	}
	return s.aggregateUnitsOfBuckets(placed, isAggregated), nil
}

// aggregateUnitsOfBuckets aggregates rows that have the unit after their keys: by unit, and these by bucket.
func (s spanUnitPlanner) aggregateUnitsOfBuckets(rows *plan.Project, isAggregated bool) plan.Node {
	r := s.rows
	w, arg, first := r.branch.Br.Members[0].Ref.InputOf, r.args[0], len(r.keys)+1
	of := arg.Measure
	if isAggregated {
		of = aggregates.OverParts(of)
	}
	var orderBy sqlexpr.Expr
	if arg.OrderBy != nil {
		orderBy = &sqlexpr.Ref{ID: first + 1}
	}
	value := []plan.NamedExpr{{Name: r.names.UniqueName(arg.Measure.Stem), Expr: aggregates.Call(r.branch.Q.In, of, &sqlexpr.Ref{ID: first}, orderBy), Type: arg.Measure.Type}}
	keys := rows.Schema().ColumnRefs()[:first:first]
	var units plan.Node = &plan.Aggregate{Input: rows, Keys: keys, Measures: value, Home: r.branch.Br.Home.Name, Why: "units"}
	groups := units.Schema().ColumnRefs()[:len(r.keys):len(r.keys)]
	if r.branch.Q.Levels.HasSeveralLevels() {
		units = &plan.GroupingSets{Input: rows, Keys: keys, Sets: levelSetsWith(r, 1), Level: r.branch.Level, Measures: value, Home: r.branch.Br.Home.Name, Why: "units"}
		groups = append(groups, units.Schema().ColumnRefs()[first])
	}
	fn := measure.WindowFunction(w.Spec)
	var over sqlexpr.Expr = build.Call(fn, fn.String(), &sqlexpr.Ref{ID: len(units.Schema()) - 1})
	if w.Spec.RequiresFullWindow() {
		count := build.Call(sqlexpr.FnCount, "COUNT")
		count.Star = true
		over = build.CaseWhen(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: count, R: build.Integer(w.N)}, over)
	}
	result := plan.NamedExpr{Name: r.names.UniqueName(w.Metric.Name), Expr: over, Type: w.Typ}
	return &plan.Aggregate{Input: units, Keys: groups, Measures: []plan.NamedExpr{result}, Home: r.branch.Br.Home.Name, Why: "spans"}
}

// spanUnits numbers the units of a span, back from its end.
type spanUnits struct {
	window *measure.Window
	bucket sqlexpr.Grain
	span   *grouping.Span // nil over buckets of a day or less
	first  int            // the first of the columns that it adds to rows
}

// columnsOfRows returns what the numbers are made of: the time of a row, and its unit in the bucket that the range cuts.
func (u spanUnits) columnsOfRows(names *naming.Namer) []plan.NamedExpr {
	if u.span == nil {
		return nil
	}
	at, typ := u.span.TimeOfRow()
	out := []plan.NamedExpr{{Name: names.UniqueName("time_of_rows"), Expr: at, Type: typ}}
	if u.span.IsCut() {
		atEnd := u.numberByStarts(u.span.IsFromCutStart)
		out = append(out, plan.NamedExpr{Name: names.UniqueName("unit_at_end"), Expr: atEnd, Type: sqlexpr.TypeInt})
	}
	return out
}

// numberByStarts returns the number of the first unit whose start is not after a time; NULL where it is before all.
func (u spanUnits) numberByStarts(isFromStart func(units int) sqlexpr.Expr) sqlexpr.Expr {
	number := &sqlexpr.Case{}
	for n := range u.window.N {
		number.Whens = append(number.Whens, sqlexpr.When{Cond: isFromStart(n + 1), Then: build.Integer(n)})
	}
	return number
}

// unitOfCopy returns the unit of a copy of a row in the bucket that it was moved to, and the condition that the span has it.
func (u spanUnits) unitOfCopy(moved sqlexpr.Expr) (unit, inSpan sqlexpr.Expr) {
	if u.span == nil {
		return u.unitOverShortBuckets(moved)
	}
	unit, inSpan = u.unitOverLongBuckets(moved)
	if !u.span.IsCut() {
		return unit, inSpan
	}
	isLast := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: moved, R: u.span.LastBucket()}
	unit = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: isLast, Then: &sqlexpr.Ref{ID: u.first + 1}}}, Else: build.CaseWhen(inSpan, unit)}
	return unit, &sqlexpr.IsNull{Not: true, X: unit}
}

// unitOverShortBuckets numbers units over buckets of a day or less.
func (u spanUnits) unitOverShortBuckets(moved sqlexpr.Expr) (unit, inSpan sqlexpr.Expr) {
	grain, bucket := u.window.Spec.Span().Grain, &sqlexpr.Ref{ID: u.window.AxisGroup}
	switch days := grain.Days(); {
	case grain > sqlexpr.GrainWeek:
		unit = u.numberByStarts(func(n int) sqlexpr.Expr {
			return &sqlexpr.Binary{Op: sqlexpr.OpGt, L: bucket, R: build.TimeLater(grain, -n, moved)}
		})
		return unit, &sqlexpr.IsNull{Not: true, X: unit}
	case u.bucket.IsWithinDay():
		back := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: &sqlexpr.BucketOrdinal{Grain: u.bucket, X: moved}, R: &sqlexpr.BucketOrdinal{Grain: u.bucket, X: bucket}}
		return wholeUnits(back, max(grain.Seconds(), days*24*60*60), u.window.N)
	default:
		return wholeUnits(sqlexpr.DaysBetween(0, bucket, moved), max(days, 1), u.lengthInDays()/max(days, 1))
	}
}

// lengthInDays returns the days of a span of a fixed length, the last one counted as a whole.
func (u spanUnits) lengthInDays() int {
	grain := u.window.Spec.Span().Grain
	const day = 24 * 60 * 60
	return (u.window.N*max(grain.Seconds(), grain.Days()*day) + day - 1) / day
}

// unitOverLongBuckets numbers units back from the end of a bucket that is longer than a day.
func (u spanUnits) unitOverLongBuckets(moved sqlexpr.Expr) (unit, inSpan sqlexpr.Expr) {
	grain, at, end := u.span.Unit(), &sqlexpr.Ref{ID: u.first}, build.TimeLater(u.bucket, 1, moved)
	var isFromStart func(n int) sqlexpr.Expr
	switch {
	case grain > sqlexpr.GrainWeek && u.bucket > sqlexpr.GrainWeek:
		month := func(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.BucketOrdinal{Grain: sqlexpr.GrainMonth, X: x} }
		back := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: &sqlexpr.Binary{Op: sqlexpr.OpSub, L: month(end), R: build.Integer(1)}, R: month(at)}
		return wholeUnits(back, grain.Months(), u.window.N)
	case grain > sqlexpr.GrainWeek:
		isFromStart = func(n int) sqlexpr.Expr {
			return &sqlexpr.Binary{Op: sqlexpr.OpGe, L: at, R: build.TimeLater(grain, -n, end)}
		}
	case grain.IsWithinDay() && u.span.TimeGrain().IsWithinDay():
		isFromStart = func(n int) sqlexpr.Expr {
			return &sqlexpr.Binary{Op: sqlexpr.OpGe, L: u.span.DayOf(build.TimeLater(grain, n, at)), R: end}
		}
	default:
		days := max(grain.Days(), 1)
		back := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: sqlexpr.DaysBetween(0, at, end), R: build.Integer(1)}
		return wholeUnits(back, days, u.lengthInDays()/days)
	}
	unit = u.numberByStarts(isFromStart)
	return unit, &sqlexpr.IsNull{Not: true, X: unit}
}

// wholeUnits returns a number that times share whose distances have as many whole units, and the condition that the distance is less than
// a number of units.
func wholeUnits(distance sqlexpr.Expr, length, units int) (unit, inSpan sqlexpr.Expr) {
	unit = distance
	if length > 1 {
		rest := &sqlexpr.Binary{Op: sqlexpr.OpMod, L: distance, R: build.Integer(length)}
		unit = &sqlexpr.Binary{Op: sqlexpr.OpSub, L: distance, R: rest}
	}
	return unit, &sqlexpr.Binary{Op: sqlexpr.OpLt, L: distance, R: build.Integer(length * units)}
}

// levelSetsWith returns the sets of keys of the levels, each with so many columns after the keys.
func levelSetsWith(r recomputedWindowPlanner, columns int) [][]int {
	sets := make([][]int, len(r.branch.Q.Levels.GroupSets))
	for i, set := range r.branch.Q.Levels.GroupSets {
		sets[i] = slices.Clone(set)
		for c := range columns {
			sets[i] = append(sets[i], len(r.keys)+c)
		}
	}
	return sets
}
