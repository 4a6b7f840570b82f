package snapshot

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// tablePlanner plans a branch whose snapshots are found in separate tables, one for each kind of bucket. The rows
// join them:
//
//	rows of the branch
//	  ─► LeftJoin: the table of snapshots, which is the Aggregate of the home by bucket, in the time range and under
//	     context_filter; the rows of a snapshot find their partner in it
//	    ─► where_sql
//	      ─► Aggregate: the measure of the rows with a partner
//
// The tables read the home once more, but no more columns than the time and the conditions on it. That costs less than
// the other ways where the query groups by a field beside the time, or per names fields: the groups of each day can be as
// many as the rows, and a window keeps all rows.
type tablePlanner struct {
	snap       branchPlanner
	keys       []plan.NamedExpr
	population rowPopulation
	buckets    bucketKinds
}

// canJoinSnapshotTables reports whether the home can be read twice: it is a table, and buckets and conditions of the
// snapshots read no other.
func (p tablePlanner) canJoinSnapshotTables() bool {
	n := p.snap.branch.Br.NonAdditive
	if n.By.Encoding != nil || p.snap.branch.Kept != nil || p.snap.branch.Once != nil || p.snap.branch.Home != p.snap.branch.Tree.Root() || p.snap.branch.Home.Dataset.Source.Query != "" {
		return false
	}
	for _, f := range p.population.filters {
		if len(f.Members) > 0 || !p.readsHomeAlone(f.Conds...) {
			return false
		}
	}
	for bucket := range p.buckets.groups {
		for _, k := range p.partitionOf(bucket) {
			if !p.readsHomeAlone(k.Expr) {
				return false
			}
		}
	}
	return p.readsHomeAlone(p.snap.columns.list[p.population.by].Expr)
}

// partitionOf returns what splits the rows into the buckets of a kind: group-bys on the axis of the snapshots, then the fields
// of per.
func (p tablePlanner) partitionOf(bucket int) []plan.NamedExpr {
	var out []plan.NamedExpr
	for _, g := range p.buckets.groups[bucket] {
		out = append(out, p.keys[g])
	}
	for _, field := range p.population.per {
		out = append(out, p.snap.columns.list[field])
	}
	return out
}

// readsHomeAlone reports whether expressions read no column of another table than the home.
func (p tablePlanner) readsHomeAlone(list ...sqlexpr.Expr) bool {
	return !slices.ContainsFunc(list, func(e sqlexpr.Expr) bool {
		return sqlexpr.HasNode(e, func(c *sqlexpr.Column) bool { return c.Path[0].Text != p.snap.branch.Home.Alias })
	})
}

// planAggregates plans the branch up to its aggregates. where and among are the conditions that do not move a snapshot.
func (p tablePlanner) planAggregates(filter []sqlexpr.Expr, among []grouping.SubqueryCondition, names *naming.Namer, branches int) (grouping.Grouped, error) {
	tables := make([]*plan.Derived, len(p.buckets.groups))
	for i := range tables {
		var err error
		if tables[i], err = p.planSnapshotTable(i); err != nil {
			return grouping.Grouped{}, err
		}
	}
	measures, err := p.snap.newSnapshotMeasures(names, p.buckets, func(bucket int) sqlexpr.Expr {
		return &sqlexpr.IsNull{Not: true, X: columnOfSnapshotTable(tables[bucket], len(p.partitionOf(bucket)))}
	})
	if err != nil {
		return grouping.Grouped{}, err
	}
	rows, matched, err := p.snap.planSnapshotPopulation(p.population)
	if err != nil {
		return grouping.Grouped{}, err
	}
	if len(measures.ofBucket[0]) == 0 {
		tables = nil // top ranks the groups by another branch, and this one only lists them
	}
	for i, t := range tables {
		rows = p.joinSnapshotTable(rows, i, t)
	}
	rows = grouping.FilterNode{Why: "inner relationships", Conds: matched}.Over(rows)
	rows = grouping.FilterNode{Why: where.WhereSQLKey, Conds: filter, Members: among}.Over(rows)
	node := p.snap.selectMeasureByLevel(p.snap.branch.GroupBranchRows(rows, p.keys, measures.listAggregates(), branches), p.buckets, measures)
	return grouping.Grouped{Branch: p.snap.branch, Node: node, Slots: measures.slots, Rows: measures.rows}, nil
}

// joinSnapshotTable joins the table of a kind of bucket to the rows of its snapshots. Other rows stay without a partner. The
// group-bys of a bucket have no part in the condition: they follow from the time.
func (p tablePlanner) joinSnapshotTable(rows plan.Node, bucket int, table *plan.Derived) plan.Node {
	first := len(p.buckets.groups[bucket])
	var on []plan.JoinEquality
	for i, field := range p.population.per {
		on = append(on, plan.JoinEquality{Left: p.snap.columns.list[field].Expr, Right: columnOfSnapshotTable(table, first+i), NullSafe: true})
	}
	isSnapshot := plan.JoinEquality{Left: p.snap.columns.list[p.population.by].Expr, Right: columnOfSnapshotTable(table, first+len(on))}
	return &plan.Join{Left: rows, Right: table, Kind: plan.LeftJoin, On: append(on, isSnapshot), Cardinality: "one row per bucket"}
}

// planSnapshotTable returns the table of the snapshots of a kind of bucket: the group-bys of the bucket, then the snapshot.
func (p tablePlanner) planSnapshotTable(bucket int) (*plan.Derived, error) {
	rows, err := p.snap.branch.Tree.PlanRoot()
	if err != nil {
		return nil, err
	}
	for _, f := range p.population.filters {
		rows = f.Over(rows)
	}
	columns := naming.NewNamer()
	snapshots := &plan.Aggregate{Input: rows, Home: p.snap.branch.Br.Home.Name}
	for _, k := range p.partitionOf(bucket) {
		snapshots.Keys = append(snapshots.Keys, plan.NamedExpr{Name: columns.UniqueName(k.Name), Expr: k.Expr, Type: k.Type})
	}
	by := p.snap.columns.list[p.population.by]
	snapshot := build.Call(sqlexpr.FnMin, "MIN", by.Expr)
	if p.snap.branch.Br.NonAdditive.Take == catalog.SnapshotTakeLast {
		snapshot = build.Call(sqlexpr.FnMax, "MAX", by.Expr)
	}
	name := p.buckets.names[bucket]
	snapshots.Measures = []plan.NamedExpr{{Name: columns.UniqueName(name), Expr: snapshot, Type: by.Type}}
	return &plan.Derived{Input: snapshots, Alias: p.snap.branch.Tree.UniqueAlias(name), Why: "snapshots of " + p.snap.branch.Br.NonAdditive.By.QualifiedName()}, nil
}

// columnOfSnapshotTable returns a column of a table of snapshots.
func columnOfSnapshotTable(t *plan.Derived, position int) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn(t.Alias, sqlexpr.Name{Text: t.Schema()[position].Name, Quoted: true})
}
