package snapshot

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// addSubqueryConditionColumns makes the values columns of the snapshots.
func (c *inputColumns) addSubqueryConditionColumns(all []grouping.SubqueryCondition) []grouping.SubqueryCondition {
	out := slices.Clone(all)
	for i := range out {
		out[i].Value = c.rebindToColumns(out[i].Value)
	}
	return out
}

// bucketKinds are the kinds of buckets that the levels of a query part the snapshots into.
type bucketKinds struct {
	groups [][]int  // of each kind, the group-bys
	levels [][]int  // of each kind, the levels
	names  []string // of each kind, the column of its snapshot
}

// listSnapshotBucketKindsOfLevels finds the kinds of buckets of all levels. The first one is that of level 0.
func (m branchPlanner) listSnapshotBucketKindsOfLevels() bucketKinds {
	sets := m.branch.Q.Levels.GroupSets
	if len(sets) == 0 {
		sets = [][]int{make([]int, len(m.branch.Q.Groups))}
		for i := range m.branch.Q.Groups {
			sets[0][i] = i
		}
	}
	var out bucketKinds
	for level, set := range sets {
		groups := slices.DeleteFunc(slices.Clone(set), func(g int) bool { return !m.isOnSnapshotAxis(m.branch.Q.Groups[g]) })
		at := slices.IndexFunc(out.groups, func(o []int) bool { return slices.Equal(o, groups) })
		if at < 0 {
			at = len(out.groups)
			out.groups, out.levels = append(out.groups, groups), append(out.levels, nil)
			name := m.branch.Br.NonAdditive.Take.String() + "_" + m.branch.Br.NonAdditive.By.Name
			if at > 0 {
				name += "_" + strconv.Itoa(at+1)
			}
			out.names = append(out.names, m.columns.names.UniqueName(name))
		}
		out.levels[at] = append(out.levels[at], level)
	}
	return out
}

// measuresByBucket are the aggregates of a branch at the snapshots of each kind of bucket.
type measuresByBucket struct {
	ofBucket [][]plan.NamedExpr
	counts   []plan.NamedExpr // of rows
	slots    []int
	rows     int
}

// listAggregates lists the aggregates in the order of their columns.
func (b measuresByBucket) listAggregates() []plan.NamedExpr {
	return append(slices.Concat(b.ofBucket...), b.counts...)
}

// newSnapshotMeasures makes the aggregates of the branch for each kind of bucket: over the rows that meet isOfSnapshot.
func (m branchPlanner) newSnapshotMeasures(names *naming.Namer, buckets bucketKinds, isOfSnapshot func(bucket int) sqlexpr.Expr) (measuresByBucket, error) {
	var out measuresByBucket
	for i := range buckets.groups {
		list, slots, err := m.branch.BuildAggregates(names, isOfSnapshot(i))
		if err != nil {
			return out, err
		}
		out.ofBucket, out.slots = append(out.ofBucket, list), slots
	}
	counts, rows, err := grouping.NewRowCounts(m.branch, names)
	if err != nil {
		return out, err
	}
	out.counts, out.rows = counts, rows
	if rows >= 0 {
		out.rows += len(out.ofBucket[0])
	}
	return out, nil
}

// inputColumns are the columns that are read of the rows of a branch with snapshots, each once.
type inputColumns struct {
	list  []plan.NamedExpr
	names *naming.Namer
}

func newInputColumns() *inputColumns {
	return &inputColumns{names: naming.NewNamer()}
}

// findOrAddColumn returns the position of the column with an expression, which is added where it is not there yet.
func (c *inputColumns) findOrAddColumn(name string, e sqlexpr.Expr, typ sqlexpr.Type) int {
	if i := slices.IndexFunc(c.list, func(o plan.NamedExpr) bool { return sqlexpr.Equal(o.Expr, e) }); i >= 0 {
		return i
	}
	c.list = append(c.list, plan.NamedExpr{Name: c.names.UniqueName(name), Expr: e, Type: typ})
	return len(c.list) - 1
}

// rebindToColumns returns an expression over the rows as one over the columns.
func (c *inputColumns) rebindToColumns(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if i := slices.IndexFunc(c.list, func(o plan.NamedExpr) bool { return sqlexpr.Equal(o.Expr, x) }); i >= 0 {
			return &sqlexpr.Ref{ID: i}
		}
		column, ok := x.(*sqlexpr.Column)
		if !ok || column.Path[0].Text == snapshotPlaceholderAlias {
			return nil
		}
		return &sqlexpr.Ref{ID: c.findOrAddColumn(column.Path[len(column.Path)-1].Text, column, sqlexpr.TypeUnknown)}
	})
}

func (c *inputColumns) rebindAllToColumns(list []sqlexpr.Expr) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(list))
	for i, e := range list {
		out[i] = c.rebindToColumns(e)
	}
	return out
}

// snapshotPlaceholderAlias is the table of the columns that stand for snapshots until all other columns are known.
const snapshotPlaceholderAlias = "snapshots of buckets"

// newSnapshotPlaceholder stands for the snapshot of a kind of bucket.
func newSnapshotPlaceholder(bucket int) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: snapshotPlaceholderAlias, Quoted: true}, {Text: strconv.Itoa(bucket), Quoted: true}}}
}

// replaceSnapshotPlaceholders replaces the columns that stand for snapshots by the columns after the others.
func (c *inputColumns) replaceSnapshotPlaceholders(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		bucket, _ := strconv.Atoi(column.Path[1].Text) // newSnapshotPlaceholder wrote it
		return &sqlexpr.Ref{ID: len(c.list) + bucket}
	})
}
