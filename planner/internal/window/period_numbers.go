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

// periodNumberColumns are the columns of a branch by which its windows count periods of calendars.
type periodNumberColumns struct{ numbers, places map[*catalog.Period]int }

// periodNumberColumn returns the number of the period that a bucket is, or that it begins in.
func (c periodNumberColumns) periodNumberColumn(p *catalog.Period) sqlexpr.Expr {
	return &sqlexpr.Ref{ID: c.numbers[p]}
}

// placeInPeriodColumn returns the place of a bucket among those that begin in the same period.
func (c periodNumberColumns) placeInPeriodColumn(p *catalog.Period) sqlexpr.Expr {
	return &sqlexpr.Ref{ID: c.places[p]}
}

// windowBucketsWithParentPeriods are the buckets of a group that windows count, and the longer periods that they count them in.
type windowBucketsWithParentPeriods struct {
	group   int
	buckets periods.Bucketing
	parents []*catalog.Period
}

// countedPeriodCollector collects what the windows of a branch count.
type countedPeriodCollector struct {
	all []windowBucketsWithParentPeriods
}

// addPeriodsCountedByWindow adds what one window counts over the buckets of a group.
func (c *countedPeriodCollector) addPeriodsCountedByWindow(w *measure.Window, g scope.Group, refs []*measure.Ref) {
	if g.Period != nil && (measure.IsDistanceFrame(w.Spec) && w.Spec.OrderedByTime() || w.HasFrameOverBuckets(refs)) {
		c.findOrAddPeriodBuckets(w, g, g.Period.Calendar)
	}
	for _, unit := range w.Spec.CalendarPeriods() {
		if i := c.findOrAddPeriodBuckets(w, g, unit.Calendar); unit != g.Period && !slices.Contains(c.all[i].parents, unit) {
			c.all[i].parents = append(c.all[i].parents, unit)
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

// joinPeriodNumbers adds the numbers of periods to the buckets of the branch, after its columns. It returns where
// they are, by group; nothing changes for a branch whose windows count none.
func joinPeriodNumbers(g branch.Grouped, names *naming.Namer) (plan.Node, map[int]periodNumberColumns, error) {
	var counted countedPeriodCollector
	for _, u := range g.Branch.Br.Members {
		if u.Ref.Window != nil && u.Ref.Window.AxisGroup >= 0 {
			counted.addPeriodsCountedByWindow(u.Ref.Window, g.Branch.Q.Groups[u.Ref.Window.AxisGroup], g.Branch.Q.Cols.MeasureRefs)
		}
	}
	return counted.joinCollectedPeriodNumbers(g.Branch.Q.In, g.Node, names)
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
		d := &plan.Derived{Input: table, Alias: names.UniqueName("periods"), Why: "calendar " + p.buckets.Calendar.Dataset.Name}
		from = &plan.Join{
			Left: from, Right: d, Kind: plan.LeftJoin, Cardinality: "one row per period",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(rows, p.group), Right: build.DerivedColumn(d, periods.FirstDayColumnIndex)}},
		}
		at, known := columns[p.group]
		if !known {
			at = periodNumberColumns{map[*catalog.Period]int{}, map[*catalog.Period]int{}}
			columns[p.group] = at
		}
		add := func(to map[*catalog.Period]int, of *catalog.Period, column int) {
			to[of] = len(cols)
			cols = append(cols, plan.NamedExpr{Name: names.UniqueName(d.Schema()[column].Name), Expr: build.DerivedColumn(d, column), Type: sqlexpr.TypeInt})
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
