package snapshot

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// dayPlanner plans a branch whose snapshots are days, one for all rows of a bucket. The rows are
// aggregated by day first, so that a snapshot is chosen among few days in place of all rows:
//
//	rows of the home in the time range, under context_filter
//	  ─► Aggregate by the group-bys and the day: the measures of the rows that where_sql keeps
//	    ─► Snapshots: the snapshot of the day's bucket
//	      ─► the groups and days with rows that where_sql keeps
//	        ─► Aggregate by the group-bys: the measures of the days that are snapshots
//
// A group-by on the axis of the snapshots, such as its month, is computed of the days. Another field may read the same column and
// yet have other values than those of its day, such as hours of a time that the field of the snapshots shows as a date: it is a key.
type dayPlanner struct {
	snap     branchPlanner
	buckets  bucketKinds
	names    *naming.Namer      // of the columns of the days
	days     *plan.Aggregate    // the first key is the day, then come the group-bys that are not on its axis
	groupBys []plan.NamedExpr   // over the columns of the days
	measures []*catalog.Measure // of the aggregates of the days
	hasRows  int                // the column that is NULL for days without rows that where_sql keeps; -1 where it keeps all rows
}

// canAggregateDaysFirst reports whether the measures of the days make up those of their snapshots.
func (m branchPlanner) canAggregateDaysFirst() bool {
	n := m.branch.Br.NonAdditive
	if n.By.Type != sqlexpr.TypeDate || len(n.Per) > 0 || m.branch.Kept != nil || m.branch.Once != nil || m.branch.NeedsBucketRowCount() || m.branch.Br.CountsRowsInRange(m.branch.Q) {
		return false
	}
	return !slices.ContainsFunc(m.branch.Br.Members, func(u branch.Member) bool {
		return !aggregates.IsMadeOfParts(u.Ref.Measure)
	})
}

// planDailySnapshots plans the branch up to its aggregates. where are the conditions that do not move a snapshot.
func (m branchPlanner) planDailySnapshots(keys []plan.NamedExpr, where []sqlexpr.Expr, population rowPopulation, buckets bucketKinds, names *naming.Namer, branches int) (grouping.Grouped, error) {
	d := dayPlanner{snap: m, buckets: buckets, names: naming.NewNamer(), hasRows: -1}
	dayKeys, groupBys := m.splitDayAndGroupBys(m.columns.list[population.by], keys, population.stored, d.names)
	list, slots, err := m.branch.BuildAggregates(d.names, nil)
	if err != nil {
		return grouping.Grouped{}, err
	}
	from, matched, err := m.planSnapshotPopulation(population)
	if err != nil {
		return grouping.Grouped{}, err
	}
	d.groupBys, d.measures = groupBys, measuresOfAggregates(m.branch.Br.Members, len(list), slots)
	if conds := slices.Concat(matched, where); len(conds) > 0 {
		d.hasRows = len(dayKeys) + len(list)
		list = limitAggregatesToRows(list, sqlexpr.And(conds...), d.names)
	}
	d.days = &plan.Aggregate{Input: from, Keys: dayKeys, Measures: list, Home: m.branch.Br.Home.Name, Why: m.branch.ExplainText(branches)}
	node := d.aggregateSnapshotDays(names, branches)
	return grouping.Grouped{Branch: m.branch, Node: node, Slots: slots, Rows: -1}, nil
}

// measuresOfAggregates lists the measure of each aggregate.
func measuresOfAggregates(members []branch.Member, count int, slots []int) []*catalog.Measure {
	out := make([]*catalog.Measure, count)
	for i, u := range members {
		out[slots[i]] = u.Ref.Measure
	}
	return out
}

// splitDayAndGroupBys returns the keys of the days, which are the day and the group-bys that are not on its axis, and
// all group-bys over these keys.
func (m branchPlanner) splitDayAndGroupBys(day plan.NamedExpr, keys []plan.NamedExpr, stored sqlexpr.Expr, names *naming.Namer) (dayKeys, groupBys []plan.NamedExpr) {
	dayKeys = []plan.NamedExpr{{Name: names.UniqueName(day.Name), Expr: day.Expr, Type: day.Type}}
	for i, k := range keys {
		overDays, follows := replaceByDay(k.Expr, stored)
		if !follows || !m.isOnSnapshotAxis(m.branch.Q.Groups[i]) {
			overDays = &sqlexpr.Ref{ID: len(dayKeys)}
			dayKeys = append(dayKeys, plan.NamedExpr{Name: names.UniqueName(k.Name), Expr: k.Expr, Type: k.Type})
		}
		groupBys = append(groupBys, plan.NamedExpr{Name: k.Name, Expr: overDays, Type: k.Type})
	}
	return dayKeys, groupBys
}

// replaceByDay replaces the stored time in an expression by the column of the day. It reports false for an expression that
// reads other columns too.
func replaceByDay(e, stored sqlexpr.Expr) (overDays sqlexpr.Expr, follows bool) {
	overDays = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if sqlexpr.Equal(x, stored) {
			return &sqlexpr.Ref{ID: 0}
		}
		return nil
	})
	return overDays, len(sqlexpr.ColumnReferences(overDays)) == 0
}

// limitAggregatesToRows returns the aggregates over the rows that meet a condition, and then a column that is NULL where no
// row meets it.
func limitAggregatesToRows(list []plan.NamedExpr, cond sqlexpr.Expr, names *naming.Namer) []plan.NamedExpr {
	out := make([]plan.NamedExpr, 0, len(list)+1)
	for _, c := range list {
		call := *c.Expr.(*sqlexpr.Call)
		counted := build.Integer(1)
		if !call.Star {
			counted = call.Args[0]
		}
		call.Star, call.Args = false, []sqlexpr.Expr{build.CaseWhen(cond, counted)}
		out = append(out, plan.NamedExpr{Name: c.Name, Expr: &call, Type: c.Type})
	}
	mark := build.Call(sqlexpr.FnMax, "MAX", build.CaseWhen(cond, build.Integer(1)))
	return append(out, plan.NamedExpr{Name: names.UniqueName("has_rows"), Expr: mark, Type: sqlexpr.TypeInt})
}

// aggregateSnapshotDays adds the snapshots to the days, and groups the days.
func (d dayPlanner) aggregateSnapshotDays(names *naming.Namer, branches int) plan.Node {
	snapshots := &plan.Snapshots{Input: d.days, Cols: d.days.Schema().ColumnRefs(), Latest: d.snap.branch.Br.NonAdditive.Take == catalog.SnapshotTakeLast, Why: d.snap.branch.Br.NonAdditive.By.QualifiedName()}
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
	for i, groups := range d.buckets.groups {
		b := plan.SnapshotPartitioning{Name: d.names.UniqueName(d.buckets.names[i])}
		for _, g := range groups {
			b.Partition = append(b.Partition, positions[g])
		}
		snapshots.Buckets = append(snapshots.Buckets, b)
	}
	var measures measuresByBucket
	for i := range d.buckets.groups {
		measures.ofBucket = append(measures.ofBucket, d.measuresOfSnapshotDays(&sqlexpr.Ref{ID: len(snapshots.Cols) + i}, names))
	}
	var days plan.Node = snapshots
	if d.hasRows >= 0 {
		isKept := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: d.hasRows}}
		days = &plan.Filter{Input: days, Conds: []sqlexpr.Expr{isKept}, Why: where.WhereSQLKey}
	}
	return d.snap.selectMeasureByLevel(d.snap.branch.GroupBranchRows(days, grouped, measures.listAggregates(), branches), d.buckets, measures)
}

// measuresOfSnapshotDays returns the measures of the days that are the snapshot of their bucket. A group of level 0 has one such day,
// and takes its value as it is: a sum of integers may be a decimal of another type.
func (d dayPlanner) measuresOfSnapshotDays(snapshot sqlexpr.Expr, names *naming.Namer) []plan.NamedExpr {
	isSnapshot := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Ref{ID: 0}, R: snapshot}
	out := make([]plan.NamedExpr, len(d.measures))
	for i, m := range d.measures {
		ofDay := d.days.Measures[i]
		value := build.CaseWhen(isSnapshot, &sqlexpr.Ref{ID: len(d.days.Keys) + i})
		out[i] = plan.NamedExpr{Name: names.UniqueName(ofDay.Name), Type: ofDay.Type}
		switch {
		case m.Agg.Class() == catalog.ClassLattice:
			out[i].Expr = m.AggregateCall(value, nil)
			continue
		case d.snap.branch.Q.Levels.HasSeveralLevels():
			out[i].Expr = build.Call(sqlexpr.FnSum, "SUM", value)
		default:
			out[i].Expr = build.Call(sqlexpr.FnMax, "MAX", value)
		}
		if m.IsZeroOverNoRows() {
			out[i].Expr = build.CoalesceToNumber(out[i].Expr, "0")
			if d.snap.branch.Q.Levels.HasSeveralLevels() {
				out[i].Expr = &sqlexpr.Cast{X: out[i].Expr, To: sqlexpr.TypeName{Type: sqlexpr.TypeInt}}
			}
		}
	}
	return out
}
