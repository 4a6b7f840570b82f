package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// periodNumberColumns are the columns by which windows count periods of calendars.
type periodNumberColumns struct {
	numbers, places map[*catalog.Period]int
	exist           map[periodDistance]int
}

// periodDistance is how far an offset looks: so many periods, and forward where that is positive.
type periodDistance struct {
	period *catalog.Period
	count  int
}

// distanceOf returns how far a window looks by periods of a calendar.
func distanceOf(w *measure.Window) (d periodDistance, ok bool) {
	o := w.Spec.Offset
	if o == nil || o.Period == nil {
		return d, false
	}
	if o.Forward {
		return periodDistance{o.Period, w.N}, true
	}
	return periodDistance{o.Period, -w.N}, true
}

// bucketExistsCondition returns the condition that the calendar has the bucket that an offset looks at.
func (n periodNumberColumns) bucketExistsCondition(d periodDistance) sqlexpr.Expr {
	return &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: n.exist[d]}}
}

// periodNumberColumn returns the number of the period that a bucket is, or that it begins in.
func (n periodNumberColumns) periodNumberColumn(p *catalog.Period) sqlexpr.Expr {
	return &sqlexpr.Ref{ID: n.numbers[p]}
}

// placeInPeriodColumn returns the place of a bucket among those that begin in the same period.
func (n periodNumberColumns) placeInPeriodColumn(p *catalog.Period) sqlexpr.Expr {
	return &sqlexpr.Ref{ID: n.places[p]}
}

// windowBucketsWithParentPeriods are the buckets of a group that windows count, and the longer periods that they count them in.
type windowBucketsWithParentPeriods struct {
	group   int
	buckets periods.Bucketing
	parents []*catalog.Period
	offsets []periodDistance
}

// countedPeriodCollector collects what windows count.
type countedPeriodCollector struct {
	all []windowBucketsWithParentPeriods
}

// addPeriodsCountedByWindow adds what one window counts over the buckets of a group.
func (c *countedPeriodCollector) addPeriodsCountedByWindow(w *measure.Window, g scope.Group, refs []*measure.Ref) {
	if g.Period != nil && (measure.IsDistanceFrame(w.Spec) && w.Spec.OrderedByTime() || w.HasFrameOverBuckets(refs, g)) {
		c.findOrAddPeriodBuckets(w, g, g.Period.Calendar)
	}
	for _, unit := range w.Spec.CalendarPeriods() {
		if i := c.findOrAddPeriodBuckets(w, g, unit.Calendar); unit != g.Period && !slices.Contains(c.all[i].parents, unit) {
			c.all[i].parents = append(c.all[i].parents, unit)
		}
	}
	if d, ok := distanceOf(w); ok {
		if i := c.findOrAddPeriodBuckets(w, g, d.period.Calendar); !slices.Contains(c.all[i].offsets, d) {
			c.all[i].offsets = append(c.all[i].offsets, d)
		}
	}
}

// findOrAddPeriodBuckets returns the index of the buckets of a group in a calendar.
func (c *countedPeriodCollector) findOrAddPeriodBuckets(w *measure.Window, g scope.Group, of *catalog.Calendar) int {
	i := slices.IndexFunc(c.all, func(o windowBucketsWithParentPeriods) bool { return o.group == w.AxisGroup && o.buckets.Calendar == of })
	if i < 0 {
		i = len(c.all)
		c.all = append(c.all, windowBucketsWithParentPeriods{group: w.AxisGroup, buckets: periods.Bucketing{Calendar: of, Period: g.Period}})
	}
	return i
}

// joinPeriodNumbers adds the numbers of periods to the matched rows, after their columns. It returns where
// they are, by group; nothing changes where windows count none.
func joinPeriodNumbers(a *branch.Query, refs []int, rows plan.Node, names *naming.Namer) (plan.Node, map[int]periodNumberColumns, error) {
	var counted countedPeriodCollector
	for _, i := range refs {
		if u := a.Cols.MeasureRefs[i]; u.Window.AxisGroup >= 0 {
			counted.addPeriodsCountedByWindow(u.Window, a.Groups[u.Window.AxisGroup], a.Cols.MeasureRefs)
		}
	}
	return counted.joinCollectedPeriodNumbers(a.In, rows, names)
}

// joinCollectedPeriodNumbers adds the numbers to buckets, after their columns.
func (c *countedPeriodCollector) joinCollectedPeriodNumbers(in *scope.Env, buckets plan.Node, names *naming.Namer) (plan.Node, map[int]periodNumberColumns, error) {
	if len(c.all) == 0 {
		return buckets, nil, nil
	}
	rows := &plan.Derived{Input: buckets, Alias: "buckets", Why: "windows"}
	cols := build.DerivedColumns(rows)
	columns := map[int]periodNumberColumns{}
	var from plan.Node = rows
	for _, p := range c.all {
		table, err := in.NewPeriodPlanner().PlanBucketTable(p.buckets, p.parents)
		if err != nil {
			return nil, nil, err
		}
		table, exist := p.addBucketsThatExist(table, names)
		d := &plan.Derived{Input: table, Alias: names.UniqueName("periods"), Why: "calendar " + p.buckets.Calendar.Dataset.Name}
		from = &plan.Join{
			Left: from, Right: d, Kind: plan.LeftJoin, Cardinality: "one row per period",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(rows, p.group), Right: build.DerivedColumn(d, periods.FirstDayColumnIndex)}},
		}
		at, known := columns[p.group]
		if !known {
			at = periodNumberColumns{map[*catalog.Period]int{}, map[*catalog.Period]int{}, map[periodDistance]int{}}
			columns[p.group] = at
		}
		addColumn := func(column int) int {
			cols = append(cols, plan.NamedExpr{Name: names.UniqueName(d.Schema()[column].Name), Expr: build.DerivedColumn(d, column), Type: sqlexpr.TypeInt})
			return len(cols) - 1
		}
		add := func(to map[*catalog.Period]int, of *catalog.Period, column int) { to[of] = addColumn(column) }
		found := at.exist
		for i, distance := range p.offsets {
			found[distance] = addColumn(exist + i)
		}
		if p.buckets.Period != nil {
			add(at.numbers, p.buckets.Period, periods.BucketNumberColumnIndex)
		}
		for i, parent := range p.parents {
			add(at.numbers, parent, periods.ParentNumberColumnIndex(i))
			add(at.places, parent, periods.PlaceInParentColumnIndex(i))
		}
	}
	return &plan.Project{Input: from, Cols: cols}, columns, nil
}

// addBucketsThatExist adds to the table of buckets, after its columns, one for each offset: NULL where the calendar has no bucket so
// far away.
func (b windowBucketsWithParentPeriods) addBucketsThatExist(table plan.Node, names *naming.Namer) (out plan.Node, first int) {
	if len(b.offsets) == 0 {
		return table, 0
	}
	w := &plan.Window{Input: table}
	for _, d := range b.offsets {
		number, place := periods.BucketNumberColumnIndex, -1
		if d.period != b.buckets.Period {
			parent := slices.Index(b.parents, d.period)
			number, place = periods.ParentNumberColumnIndex(parent), periods.PlaceInParentColumnIndex(parent)
		}
		away := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: d.count}, End: sqlexpr.FrameBound{Offset: d.count}}
		found := &sqlexpr.WindowCall{Call: build.Call(sqlexpr.FnMax, "MAX", build.Integer(1)), Order: []sqlexpr.OrderItem{{X: &sqlexpr.Ref{ID: number}}}, Frame: away}
		if place >= 0 {
			found.Partition = []sqlexpr.Expr{&sqlexpr.Ref{ID: place}}
		}
		w.Funcs = append(w.Funcs, plan.NamedExpr{Name: names.UniqueName("bucket_exists"), Expr: found, Type: sqlexpr.TypeInt})
	}
	return w, len(table.Schema())
}
