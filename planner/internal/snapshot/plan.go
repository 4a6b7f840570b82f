package snapshot

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// branchPlanner plans a branch of semi-additive measures that are over the rows of one snapshot in each bucket:
//
//	rows of the home in the time range, under context_filter
//	  ─► Snapshots: the snapshot of the row's bucket
//	    ─► where_sql, top
//	      ─► Aggregate: the measure where a row is of the snapshot
//
// The snapshot is chosen before the conditions and the group-bys have a part in it. Each level has its buckets.
//
// Two other ways cost less where they are possible. Without group-bys beside the time, dayPlanner chooses among
// days in place of rows. With them, tablePlanner finds the snapshots in separate tables.
type branchPlanner struct {
	branch  *grouping.Planner
	columns *inputColumns
}

// PlanAggregates plans a branch up to its aggregates. joinsInner: relationships that drop rows do so whether the branch
// reads their datasets or not.
func PlanAggregates(p *grouping.Planner, names *naming.Namer, branches int, joinsInner bool) (grouping.Grouped, error) {
	out, err := planAggregates(p, names, branches, joinsInner)
	if err == nil && p.MovesBuckets() {
		out.Node, err = branch.MoveEarlierBuckets(p.Q, p.Comparison(), out.Node, names)
	}
	return out, err
}

func planAggregates(p *grouping.Planner, names *naming.Namer, branches int, joinsInner bool) (grouping.Grouped, error) {
	n := p.Br.NonAdditive
	switch {
	case n != nil && n.Take.SelectsOneSnapshot():
		return branchPlanner{branch: p, columns: newInputColumns()}.planAggregates(names, branches, joinsInner)
	case joinsInner:
		p.MakeRowDroppingJoins()
	}
	if n != nil {
		return valuePlanner{p}.planAggregates(names, branches)
	}
	return p.PlanPlain(names, branches)
}

// planAggregates plans the branch up to its aggregates.
func (m branchPlanner) planAggregates(names *naming.Namer, branches int, joinsInner bool) (grouping.Grouped, error) {
	if err := m.checkTopMergesSnapshotBuckets(); err != nil {
		return grouping.Grouped{}, err
	}
	m.branch.Tree.KeepUnmatched()
	population, err := m.bindSnapshotPopulation()
	if err != nil {
		return grouping.Grouped{}, err
	}
	if joinsInner {
		m.branch.MakeRowDroppingJoins()
	}
	keys, err := grouping.ListGroupKeys(m.branch)
	if err != nil {
		return grouping.Grouped{}, err
	}
	filter, err := m.branch.RewritePredicates(m.branch.Q.Conds.Input)
	if err != nil {
		return grouping.Grouped{}, err
	}
	among, err := grouping.SubqueryConditions(m.branch, m.branch.Q.Conds.Input)
	if err != nil {
		return grouping.Grouped{}, err
	}
	buckets := m.listSnapshotBucketKindsOfLevels()
	tables := tablePlanner{snap: m, keys: keys, population: population, buckets: buckets}
	daysFirst := len(among) == 0 && m.canAggregateDaysFirst()
	switch {
	case daysFirst && m.hasOnlyBucketGroups():
		return m.planDailySnapshots(keys, filter, population, buckets, names, branches)
	case tables.canJoinSnapshotTables():
		return tables.planAggregates(filter, among, names, branches)
	case daysFirst:
		return m.planDailySnapshots(keys, filter, population, buckets, names, branches)
	}
	measures, err := m.newSnapshotMeasures(names, buckets, func(bucket int) sqlexpr.Expr {
		return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: m.columns.list[population.by].Expr, R: newSnapshotPlaceholder(bucket)}
	})
	if err != nil {
		return grouping.Grouped{}, err
	}
	from, matched, err := m.planSnapshotPopulation(population)
	if err != nil {
		return grouping.Grouped{}, err
	}
	stored := slices.Clone(keys)
	moved, err := grouping.MoveKeysToCurrentRange(m.branch, keys)
	if err != nil {
		return grouping.Grouped{}, err
	}
	from, keys, kept := m.branch.Kept.Join(from, m.branch.Tree, keys, moved)
	parted := keys
	if len(kept) > 0 {
		parted = stored // values that top drops are of the home all the same
	}
	filters := []grouping.FilterNode{{Why: "inner relationships", Conds: matched}, {Why: where.WhereSQLKey, Conds: filter, Members: among}, {Why: "top", Conds: kept}}
	node := m.aggregateSnapshots(from, branchKeys{keys, parted}, filters, population, buckets, measures, branches)
	return grouping.Grouped{Branch: m.branch, Node: node, Slots: measures.slots, Rows: measures.rows}, nil
}

// planSnapshotPopulation plans the rows among which a snapshot is chosen. All that the branch reads is joined to them;
// matched are the conditions of joins that drop rows.
func (m branchPlanner) planSnapshotPopulation(population rowPopulation) (from plan.Node, matched []sqlexpr.Expr, err error) {
	if matched, err = m.branch.Tree.InnerJoinMatchConditions(); err != nil {
		return nil, nil, err
	}
	if from, err = m.branch.Tree.Plan(); err != nil {
		return nil, nil, err
	}
	from = m.branch.Calendars.JoinCalendars(from)
	for _, f := range population.filters {
		from = f.Over(from)
	}
	return from, matched, nil
}

// branchKeys are the keys of a branch: as the rows are grouped, and as its buckets part them.
type branchKeys struct{ grouped, parted []plan.NamedExpr }

// rowPopulation is the rows among which a snapshot is chosen: the conditions on them, the time of a row as it is
// stored, and the positions of the times of snapshots and of the fields of per in the columns.
type rowPopulation struct {
	filters []grouping.FilterNode
	stored  sqlexpr.Expr
	by      int
	per     []int
}

// bindSnapshotPopulation binds the rows among which a snapshot is chosen.
func (m branchPlanner) bindSnapshotPopulation() (rowPopulation, error) {
	var out rowPopulation
	n := m.branch.Br.NonAdditive
	at, err := m.branch.Tree.FieldExpr(m.branch.Home, n.By, "")
	if err != nil {
		return out, err
	}
	out.stored = sqlexpr.StoredTime(at)
	out.by = m.columns.findOrAddColumn(n.By.Name, joins.TruncateDateFieldToDay(at, n.By), n.By.Type)
	for _, p := range n.Per {
		e, err := m.branch.Tree.FieldExpr(m.branch.Tree.JoinPath(m.branch.Home, p.Path, p.Named), p.Field, "")
		if err != nil {
			return out, err
		}
		out.per = append(out.per, m.columns.findOrAddColumn(p.Field.Name, joins.TruncateDateFieldToDay(e, p.Field), p.Field.Type))
	}
	for _, path := range m.branch.Br.Inner {
		m.branch.Tree.JoinPath(m.branch.Home, path, false) // which rows the aggregates are of
	}
	if out.filters, err = m.branch.InputFilters(nil); err != nil {
		return out, err
	}
	out.filters = append(out.filters, grouping.FilterNode{Why: "non_additive", Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: sqlexpr.StoredTime(at)}}})
	matched, err := m.branch.Tree.InnerJoinMatchConditions()
	if err != nil {
		return out, err
	}
	if len(matched) > 0 {
		out.filters = append(out.filters, grouping.FilterNode{Why: "inner relationships", Conds: matched})
	}
	return out, nil
}

// aggregateSnapshots adds the snapshots to the rows, applies the conditions that do not move them, and groups the rows.
func (m branchPlanner) aggregateSnapshots(from plan.Node, keys branchKeys, filters []grouping.FilterNode, population rowPopulation, buckets bucketKinds, measures measuresByBucket, branches int) plan.Node {
	c := m.columns
	snapshots := &plan.Snapshots{Input: from, By: population.by, Latest: m.branch.Br.NonAdditive.Take == catalog.SnapshotTakeLast, Why: m.branch.Br.NonAdditive.By.QualifiedName()}
	for i, groups := range buckets.groups {
		b := plan.SnapshotPartitioning{Name: buckets.names[i]}
		for _, g := range groups {
			b.Partition = append(b.Partition, c.findOrAddColumn(keys.parted[g].Name, keys.parted[g].Expr, keys.parted[g].Type))
		}
		b.Partition = append(b.Partition, population.per...)
		snapshots.Buckets = append(snapshots.Buckets, b)
	}
	grouped := make([]plan.NamedExpr, len(keys.grouped))
	for i, k := range keys.grouped {
		grouped[i] = plan.NamedExpr{Name: k.Name, Expr: &sqlexpr.Ref{ID: c.findOrAddColumn(k.Name, k.Expr, k.Type)}, Type: k.Type}
	}
	var lifted []grouping.FilterNode
	for _, f := range filters {
		if len(f.Conds)+len(f.Members) > 0 {
			lifted = append(lifted, grouping.FilterNode{Why: f.Why, Conds: c.rebindAllToColumns(f.Conds), Members: c.addSubqueryConditionColumns(f.Members)})
		}
	}
	aggregates := measures.listAggregates()
	for i := range aggregates {
		aggregates[i].Expr = c.rebindToColumns(aggregates[i].Expr)
	}
	for i := range aggregates { // the columns are complete: the snapshots follow them
		aggregates[i].Expr = c.replaceSnapshotPlaceholders(aggregates[i].Expr)
	}
	snapshots.Cols = c.list
	var rows plan.Node = snapshots
	for _, f := range lifted {
		rows = f.Over(rows)
	}
	return m.selectMeasureByLevel(m.branch.GroupBranchRows(rows, grouped, aggregates, branches), buckets, measures)
}

// selectMeasureByLevel gives each measure one column: at each level the aggregate at the snapshots of that level's buckets.
func (m branchPlanner) selectMeasureByLevel(in plan.Node, buckets bucketKinds, measures measuresByBucket) plan.Node {
	if len(buckets.groups) == 1 {
		return in
	}
	schema, first := in.Schema(), m.branch.Q.KeyCount()
	out := &plan.Project{Input: in, Cols: in.Schema().ColumnRefs()[:first]}
	count := len(measures.ofBucket[0])
	level := &sqlexpr.Ref{ID: first - 1}
	for i := range count {
		chosen := &sqlexpr.Case{Else: &sqlexpr.Ref{ID: first + i}}
		for b := 1; b < len(buckets.groups); b++ {
			chosen.Whens = append(chosen.Whens, sqlexpr.When{Cond: levels.IsOneOf(level, buckets.levels[b]), Then: &sqlexpr.Ref{ID: first + b*count + i}})
		}
		out.Cols = append(out.Cols, plan.NamedExpr{Name: schema[first+i].Name, Expr: chosen, Type: schema[first+i].Type})
	}
	out.Cols = append(out.Cols, in.Schema().ColumnRefs()[first+len(buckets.groups)*count:]...)
	return out
}

// checkTopMergesSnapshotBuckets rejects a top that merges values of the buckets that differ between other groups: the merged bucket of one group
// would be other snapshots than that of another.
func (m branchPlanner) checkTopMergesSnapshotBuckets() error {
	k := m.branch.Kept
	if k == nil || !k.Spec.MergesOthers || !m.isOnSnapshotAxis(m.branch.Q.Groups[k.Spec.Dimension]) {
		return nil
	}
	for _, g := range k.Spec.WithinGroups {
		if m.isOnSnapshotAxis(m.branch.Q.Groups[g]) {
			continue
		}
		err := &planerr.Error{
			Code: planerr.CodeNotImplemented,
			Message: "top merges other values of " + m.branch.Q.Groups[k.Spec.Dimension].Name + " for each " + m.branch.Q.Groups[g].Name +
				", and " + strings.Join(m.branch.Br.MetricNames(), ", ") + " has one snapshot for all of them",
			Metrics: m.branch.Br.MetricNames(),
		}
		if asked := m.branch.Q.In.Query.Top; asked != nil { // the table of a metric at another level gets another retry
			retry := *asked
			retry.Other = &query.TopOther{Off: true}
			err.Fragment = map[string]any{"top": &retry}
		}
		return err
	}
	return nil
}

// hasOnlyBucketGroups reports whether each group splits the snapshots into buckets.
func (m branchPlanner) hasOnlyBucketGroups() bool {
	return !slices.ContainsFunc(m.branch.Q.Groups, func(g scope.Group) bool { return !m.isOnSnapshotAxis(g) })
}

// isOnSnapshotAxis reports whether a group splits the snapshots of the branch into buckets.
func (m branchPlanner) isOnSnapshotAxis(g scope.Group) bool {
	return g.ReadsAxis(m.branch.Br.NonAdditive.By)
}
