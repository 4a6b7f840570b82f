package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// aggregateLeafOverGroup aggregates a leaf over the rows of one group.
func (e *evaluator) aggregateLeafOverGroup(l *measureLeaf, members []branchRow, home string) Value {
	n := l.measure.NonAdditive
	if n == nil || n.Take.SelectsOneSnapshot() {
		return e.aggregateGroup(l.measure, l.filters, l, members, home)
	}
	ofSnapshot := map[string][]branchRow{}
	for _, f := range members {
		key := groupKey(e.snapshotTimeOfRow(l, f, home))
		ofSnapshot[key] = append(ofSnapshot[key], f)
	}
	var values []Value
	for _, rows := range ofSnapshot {
		if v := e.aggregateGroup(l.measure, l.filters, l, rows, home); v != nil {
			values = append(values, v)
		}
	}
	agg := map[catalog.SnapshotTakeAggregation]catalog.Agg{catalog.SnapshotTakeMinValue: catalog.AggMin, catalog.SnapshotTakeMaxValue: catalog.AggMax, catalog.SnapshotTakeAvgValue: catalog.AggAvg}[n.Take]
	return aggregateValues(&catalog.Measure{Agg: agg}, values, nil)
}

// snapshotTimeOfRow returns the value by which a row of a semi-additive measure has its snapshot.
func (e *evaluator) snapshotTimeOfRow(l *measureLeaf, f branchRow, home string) Value {
	by := l.measure.NonAdditive.By
	return coerceTimeToDeclaredType(by, e.fieldValue(by, f.row[home]))
}

// markSnapshotRows leaves the rows of a semi-additive measure that have a snapshot, and marks those of
// snapshots that do not count. The function reads reports whether the measure reads a row.
func (e *evaluator) markSnapshotRows(l *measureLeaf, rows []branchRow, home string, reads func(branchRow) bool) []branchRow {
	n := l.measure.NonAdditive
	if n == nil {
		return rows
	}
	rows = slices.DeleteFunc(rows, func(f branchRow) bool {
		_, ok := e.entityKeyOfRow(n, f.row[home])
		return !ok || e.snapshotTimeOfRow(l, f, home) == nil
	})
	if !n.Take.SelectsOneSnapshot() {
		return rows
	}
	buckets := e.snapshotBucketGroupBys(n.By)
	if top := e.top; top != nil && !top.dropsOthers && slices.Contains(buckets, top.dimension) &&
		slices.ContainsFunc(top.within, func(i int) bool { return !slices.Contains(buckets, i) }) {
		e.addMustRejectCode("not_implemented") // the merged buckets differ between the groups of within
	}
	chosen := e.findChosenSnapshots(l, buckets, reads)
	for i, f := range rows {
		entity, _ := e.entityKeyOfRow(n, f.row[home])
		key := groupKey(append(valuesAtIndexes(f.dims, buckets), entity)...)
		if e.fault == FaultSnapshotAfterGrouping {
			key = groupKey(append(slices.Clone(f.dims), entity)...)
			for _, o := range rows {
				if other, _ := e.entityKeyOfRow(n, o.row[home]); groupKey(append(slices.Clone(o.dims), other)...) == key {
					chosen[key] = chooseSnapshot(n, chosen[key], e.snapshotTimeOfRow(l, o, home))
				}
			}
		}
		rows[i].passedOver = compareNullsLast(e.snapshotTimeOfRow(l, f, home), chosen[key]) != 0
	}
	return rows
}

// findChosenSnapshots finds the snapshot of each bucket and entity, over the rows of the home that context_filter
// and the time range leave.
func (e *evaluator) findChosenSnapshots(l *measureLeaf, buckets []int, reads func(branchRow) bool) map[string]Value {
	conditions, groups, top := e.rowConditions, e.groups, e.top
	defer func() { e.rowConditions, e.groups, e.top = conditions, groups, top }()
	n := l.measure.NonAdditive
	context, _ := e.populationConditionsOfLeaf(l, true) // of the branch: a level of detail that it groups by may apply a condition
	e.rowConditions, e.groups = nil, slices.Clone(groups)
	for i := range groups {
		if !slices.Contains(buckets, i) {
			e.groups[i] = groupByItem{name: groups[i].name, isOther: true}
		}
	}
	if top != nil && (top.dropsOthers || !slices.Contains(buckets, top.dimension)) {
		e.top = nil
	}
	out := map[string]Value{}
	rows, home, ok := e.branchRowsWithConditions(l, true, false, context, nil)
	if !ok {
		return out
	}
	for _, f := range rows {
		entity, known := e.entityKeyOfRow(n, f.row[home])
		at := e.snapshotTimeOfRow(l, f, home)
		if !known || at == nil || !reads(f) {
			continue
		}
		key := groupKey(append(valuesAtIndexes(f.dims, buckets), entity)...)
		out[key] = chooseSnapshot(n, out[key], at)
	}
	return out
}

// chooseSnapshot returns the snapshot that take chooses from two; nil where there is none yet.
func chooseSnapshot(n *catalog.SemiAdditiveRule, a, b Value) Value {
	if order := compareNullsLast(b, a); a == nil || n.Take == catalog.SnapshotTakeLast && order > 0 || n.Take == catalog.SnapshotTakeFirst && order < 0 {
		return b
	}
	return a
}

// snapshotBucketGroupBys lists the group-bys that are buckets of the snapshots, each with the Boolean of top after it.
func (e *evaluator) snapshotBucketGroupBys(by *catalog.Field) []int {
	var out []int
	for i, g := range e.groups {
		behind := g.isOther && slices.Contains(out, i-1)
		if behind || !g.isOther && g.expr == nil && g.part == "" && (g.onAxis || g.equals(fieldTarget{field: by})) {
			out = append(out, i)
		}
	}
	return out
}

func valuesAtIndexes(values []Value, indexes []int) []Value {
	out := make([]Value, 0, len(indexes)+1)
	for _, i := range indexes {
		out = append(out, values[i])
	}
	return out
}

// entityKeyOfRow returns the combination of the values of per. ok is false for a row that an inner relationship drops.
func (e *evaluator) entityKeyOfRow(n *catalog.SemiAdditiveRule, r Row) (key Value, ok bool) {
	if r == nil {
		return nil, false
	}
	var values []Value
	for _, p := range n.Per {
		at := r
		for _, s := range p.Path {
			found := e.rowsJoinedByStep(joinStep{s.Rel, s.Reverse}, at)
			at = nil
			if len(found) > 0 {
				at = found[0]
			} else if s.Rel.JoinType == catalog.JoinInner {
				return nil, false
			}
		}
		values = append(values, coerceTimeToDeclaredType(p.Field, e.fieldValue(p.Field, at)))
	}
	return groupKey(values...), true
}
