package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// dailySnapshotPlanner plans a branch whose snapshots are days, one for all rows of a bucket. The rows are
// aggregated by day first, so that a snapshot is chosen among few days in place of all rows:
//
//	rows of the home in the time range, under context_filter
//	  ─► Aggregate by the group-bys and the day: the measures of the rows that where_sql keeps
//	    ─► Snapshots: the snapshot of the day's bucket
//	      ─► the groups and days with rows that where_sql keeps
//	        ─► Aggregate by the group-bys: the measures of the days that are snapshots
//
// A group-by that follows from the day, such as its month, is computed of the days.
type dailySnapshotPlanner struct {
	snapshotBranchPlanner
	names    *ColumnNamer       // of the columns of the days
	measures []*catalog.Measure // of the aggregates
	days     plan.Aggregate     // the first key is the day, then come the group-bys that do not follow from it
	groupBys []plan.NamedExpr   // over the columns of the days
	kept     int                // of the days' columns that which tells days with rows that where_sql keeps; -1 for all days
}

// canAggregateDaysFirst reports whether the measures of the days make up those of their snapshots.
func (m snapshotBranchPlanner) canAggregateDaysFirst() bool {
	n := m.br.nonAdditive
	if n.By.Type != sqlexpr.TypeDate || len(n.Per) > 0 || m.kept != nil || m.once != nil || m.needsBucketRowCount() || m.calendars.countsRowsInRange() {
		return false
	}
	return !slices.ContainsFunc(m.br.members, func(u branchMember) bool {
		return !isMadeOfPartValues(u.Measure) || u.window != nil && u.window.second != nil && !isMadeOfPartValues(u.window.second)
	})
}

// isMadeOfPartValues reports whether a measure is the sum, the least or the greatest of its values over parts of the rows.
func isMadeOfPartValues(m *catalog.Measure) bool {
	class := m.Agg.Class()
	return class == catalog.ClassAdditive || class == catalog.ClassLattice
}

// planDailySnapshots plans the branch up to its aggregates. where are the conditions that do not move a snapshot.
func (m snapshotBranchPlanner) planDailySnapshots(keys []plan.NamedExpr, where []sqlexpr.Expr, population snapshotPopulation, names *ColumnNamer, branches int) (groupedBranch, error) {
	d := dailySnapshotPlanner{snapshotBranchPlanner: m, names: NewColumnNamer(), kept: -1}
	d.addDayAndGroupBys(keys, population)
	list, slots, seconds, err := m.buildMeasureAggregates(d.names, nil)
	if err != nil {
		return groupedBranch{}, err
	}
	d.measures = measuresOfAggregates(m.br.members, len(list), slots, seconds)
	from, matched, err := m.planSnapshotPopulation(population)
	if err != nil {
		return groupedBranch{}, err
	}
	d.days.Input, d.days.Home, d.days.Why = from, m.br.home.Name, m.explainText(branches)
	d.addMeasuresOfRows(list, slices.Concat(matched, where))
	node := d.aggregateSnapshotDays(names, branches)
	if m.movesBuckets() {
		node = m.movePreviousBuckets(node)
	}
	return groupedBranch{branchPlanner: m.branchPlanner, node: node, slots: slots, seconds: seconds, rows: -1}, nil
}

// measuresOfAggregates lists the measure of each aggregate.
func measuresOfAggregates(members []branchMember, count int, slots []int, seconds map[int]int) []*catalog.Measure {
	out := make([]*catalog.Measure, count)
	for i, u := range members {
		out[slots[i]] = u.Measure
		if second, ok := seconds[i]; ok {
			out[second] = u.window.second
		}
	}
	return out
}

// addDayAndGroupBys adds the day and the group-bys to the keys of the days.
func (d *dailySnapshotPlanner) addDayAndGroupBys(keys []plan.NamedExpr, population snapshotPopulation) {
	day := d.columns.list[population.by]
	d.days.Keys = []plan.NamedExpr{{Name: d.names.UniqueName(day.Name), Expr: day.Expr, Type: day.Type}}
	for _, k := range keys {
		overDays, follows := replaceByDay(k.Expr, population.stored)
		if !follows {
			overDays = &sqlexpr.Ref{ID: len(d.days.Keys)}
			d.days.Keys = append(d.days.Keys, plan.NamedExpr{Name: d.names.UniqueName(k.Name), Expr: k.Expr, Type: k.Type})
		}
		d.groupBys = append(d.groupBys, plan.NamedExpr{Name: k.Name, Expr: overDays, Type: k.Type})
	}
}

// replaceByDay replaces the stored time in an expression by the column of the day. It reports false for an expression that
// reads other columns too.
func replaceByDay(e, stored sqlexpr.Expr) (overDays sqlexpr.Expr, follows bool) {
	overDays, follows = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if sqlexpr.Equal(x, stored) {
			return &sqlexpr.Ref{ID: 0}
		}
		return nil
	}), true
	sqlexpr.Walk(overDays, func(x sqlexpr.Expr) bool {
		if _, ok := x.(*sqlexpr.Column); ok {
			follows = false
		}
		return follows
	})
	return overDays, follows
}

// addMeasuresOfRows adds the measures over the rows that meet the conditions to the days.
func (d *dailySnapshotPlanner) addMeasuresOfRows(list []plan.NamedExpr, conds []sqlexpr.Expr) {
	d.days.Measures = list
	if len(conds) == 0 {
		return
	}
	keeps := sqlexpr.And(conds...)
	d.days.Measures = make([]plan.NamedExpr, 0, len(list)+1)
	for _, c := range list {
		call := *c.Expr.(*sqlexpr.Call)
		if call.Star {
			call.Star, call.Args = false, []sqlexpr.Expr{&sqlexpr.Number{Text: "1"}}
		}
		call.Args = []sqlexpr.Expr{newCaseWhen(keeps, call.Args[0])}
		d.days.Measures = append(d.days.Measures, plan.NamedExpr{Name: c.Name, Expr: &call, Type: c.Type})
	}
	d.kept = len(d.days.Keys) + len(list)
	mark := newFunctionCall(sqlexpr.FnMax, "MAX", newCaseWhen(keeps, newIntegerConstant(1)))
	d.days.Measures = append(d.days.Measures, plan.NamedExpr{Name: d.names.UniqueName("has_rows"), Expr: mark, Type: sqlexpr.TypeInt})
}

// aggregateSnapshotDays adds the snapshots to the days, and groups the days.
func (d *dailySnapshotPlanner) aggregateSnapshotDays(names *ColumnNamer, branches int) plan.Node {
	snapshots := &plan.Snapshots{Input: &d.days, Cols: d.days.Schema().ColumnRefs(), Latest: d.br.nonAdditive.Take == catalog.SnapshotTakeLast, Why: d.br.nonAdditive.By.QualifiedName()}
	positions := make([]int, len(d.groupBys))
	grouped := make([]plan.NamedExpr, len(d.groupBys))
	for i, g := range d.groupBys {
		positions[i] = slices.IndexFunc(snapshots.Cols, func(o plan.NamedExpr) bool { return sqlexpr.Equal(o.Expr, g.Expr) })
		if positions[i] < 0 {
			positions[i] = len(snapshots.Cols)
			snapshots.Cols = append(snapshots.Cols, plan.NamedExpr{Name: d.names.UniqueName(g.Name), Expr: g.Expr, Type: g.Type})
		}
		grouped[i] = plan.NamedExpr{Name: g.Name, Expr: &sqlexpr.Ref{ID: positions[i]}, Type: g.Type}
	}
	buckets := d.findSnapshotBuckets()
	for i, groups := range buckets.groups {
		b := plan.SnapshotPartitioning{Name: d.names.UniqueName(buckets.names[i])}
		for _, g := range groups {
			b.Partition = append(b.Partition, positions[g])
		}
		snapshots.Buckets = append(snapshots.Buckets, b)
	}
	var measures snapshotMeasures
	for i := range buckets.groups {
		measures.ofBucket = append(measures.ofBucket, d.measuresOfSnapshotDays(&sqlexpr.Ref{ID: len(snapshots.Cols) + i}, names))
	}
	var days plan.Node = snapshots
	if d.kept >= 0 {
		hasRows := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: d.kept}}
		days = &plan.Filter{Input: days, Conds: []sqlexpr.Expr{hasRows}, Why: WhereSQLKey}
	}
	return d.selectMeasureByLevel(d.groupBranchRows(days, grouped, measures.listAggregates(), branches), buckets, measures)
}

// measuresOfSnapshotDays are the measures of the days that are the snapshot of their bucket.
func (d *dailySnapshotPlanner) measuresOfSnapshotDays(snapshot sqlexpr.Expr, names *ColumnNamer) []plan.NamedExpr {
	isSnapshot := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Ref{ID: 0}, R: snapshot}
	out := make([]plan.NamedExpr, len(d.measures))
	for i, m := range d.measures {
		ofDay := d.days.Measures[i]
		value := newCaseWhen(isSnapshot, &sqlexpr.Ref{ID: len(d.days.Keys) + i})
		out[i] = plan.NamedExpr{Name: names.UniqueName(ofDay.Name), Type: ofDay.Type}
		switch {
		case m.Agg.Class() == catalog.ClassLattice:
			out[i].Expr = m.AggregateCall(value, nil)
		case m.IsZeroOverNoRows():
			out[i].Expr = CoalesceToNumber(newFunctionCall(sqlexpr.FnSum, "SUM", value), "0")
		default:
			out[i].Expr = newFunctionCall(sqlexpr.FnSum, "SUM", value)
		}
	}
	return out
}
