package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/fill"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// finishFilledBranches finishes branches with the filled buckets among their rows:
//
//	branch ─► rows ──┬────────────────────────────────────────► match on the group-bys ─► windows ─► …
//	                 └─► other group-bys ─┐                       ▲
//	first bucket, count ─► numbers ───────┴─► filled buckets ─────┘
//
// A branch with windows needs the buckets before its windows. Without any, the buckets are a branch by
// themselves, which adds no column.
func finishFilledBranches(f *fill.Fill, branches []branch.Grouped, names *naming.Namer, first int) ([]branch.Planned, error) {
	branches, buckets := planFilledBucketKeys(f, branches, names)
	windowed := 0
	for i := range branches {
		if branches[i].Branch.HasWindow() {
			windowed++
		}
	}
	out := make([]branch.Planned, len(branches), len(branches)+1)
	for i, g := range branches {
		if g.Branch.HasWindow() {
			g.Node = joinFilledBuckets(g, buckets, windowed > 1)
		}
		var err error
		if out[i], err = addWindows(g, names, first); err != nil {
			return nil, err
		}
		first += out[i].Width
	}
	if windowed == 0 {
		out = append(out, branch.Planned{Node: buckets, First: first, Rows: -1})
	}
	return out, nil
}

// joinFilledBuckets adds the filled buckets to the rows of a branch.
func joinFilledBuckets(g branch.Grouped, buckets plan.Node, several bool) plan.Node {
	if several {
		buckets = build.SharedRows(buckets, "filled_buckets")
	}
	keys := g.Branch.Q.KeyCount()
	if hasBucketsWithoutRows(g) {
		return joinToExpandedBuckets(g, buckets)
	}
	return &plan.Combine{Keys: keys, Branches: []plan.Node{g.Node, buckets}, Zero: make([]bool, len(g.Node.Schema())-keys)}
}

// planFilledBucketKeys returns the keys of the rows that the result has at least. The returned branches share their
// rows with it where it reads them.
func planFilledBucketKeys(f *fill.Fill, branches []branch.Grouped, names *naming.Namer) ([]branch.Grouped, plan.Node) {
	numbers := f.Starts
	if numbers == nil {
		numbers = &plan.Numbers{Name: names.UniqueName("bucket_number"), Count: f.BucketCount}
	}
	a := branches[0].Branch.Q
	if len(a.Groups) == 1 {
		cols := []plan.NamedExpr{bucketColumnOfNumber(f, a.Groups[0], &sqlexpr.Ref{})}
		if a.Levels.HasSeveralLevels() {
			cols = append(cols, plan.NamedExpr{Name: branches[0].Branch.Level, Expr: build.Integer(0), Type: sqlexpr.TypeInt})
		}
		return branches, &plan.Project{Input: numbers, Cols: cols}
	}
	branches, others := otherGroupCombinations(f, branches)
	groups := &plan.Derived{Input: others, Alias: "filled_groups", Why: "fill"}
	buckets := &plan.Derived{Input: numbers, Alias: "filled_buckets", Why: "fill"}
	cols := make([]plan.NamedExpr, 0, a.KeyCount())
	for i, c := range groups.Schema() {
		if i == f.BucketGroup {
			cols = append(cols, bucketColumnOfNumber(f, a.Groups[i], build.DerivedColumn(buckets, 0)))
		}
		cols = append(cols, plan.NamedExpr{Name: c.Name, Expr: build.DerivedColumn(groups, i), Type: c.Type})
	}
	if len(cols) < a.KeyCount() {
		cols = append(cols, bucketColumnOfNumber(f, a.Groups[f.BucketGroup], build.DerivedColumn(buckets, 0)))
	}
	return branches, &plan.Project{Input: &plan.Join{Left: groups, Right: buckets, Kind: plan.InnerJoin}, Cols: cols}
}

// bucketColumnOfNumber returns the bucket of a number.
func bucketColumnOfNumber(f *fill.Fill, g scope.Group, number sqlexpr.Expr) plan.NamedExpr {
	if f.Starts != nil {
		return plan.NamedExpr{Name: g.Name, Expr: number, Type: g.Type} // a first day
	}
	unit := &sqlexpr.String{Value: g.Grain.String()}
	call := build.Call(sqlexpr.FnDateAdd, "DATEADD", unit, number, f.FirstBucket)
	bucket := build.CastMovedInstant(call, sqlexpr.TypeOf(f.FirstBucket, nil), f.ZonesApart)
	return plan.NamedExpr{Name: g.Name, Expr: bucket, Type: g.Type}
}

// otherGroupCombinations lists the combinations of the other group-bys that the branches have in range, with the
// level where there are several. The returned branches share their rows with it.
func otherGroupCombinations(f *fill.Fill, branches []branch.Grouped) ([]branch.Grouped, plan.Node) {
	shared, nodes := make([]branch.Grouped, len(branches)), make([]plan.Node, len(branches))
	for i, g := range branches {
		nodes[i] = groupCombinationsOf(f, g, build.SharedRows(g.Node, "groups_of_"+g.Branch.Br.Home.Name))
		g.Node = build.SharedRows(g.Node, "rows_of_"+g.Branch.Br.Home.Name)
		shared[i] = g
	}
	if len(nodes) == 1 {
		return shared, nodes[0]
	}
	return shared, &plan.Combine{Keys: len(nodes[0].Schema()), Branches: nodes}
}

// groupCombinationsOf lists the combinations that one branch has.
func groupCombinationsOf(f *fill.Fill, g branch.Grouped, rows plan.Node) plan.Node {
	if hasBucketsWithoutRows(g) {
		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{bucketHasRowsCondition(g)}, Why: "buckets with rows"}
	}
	if in := groupsInRangeConditions(g, len(rows.Schema())-1); len(in) > 0 {
		rows = &plan.Filter{Input: rows, Conds: in, Why: "buckets in range"}
	}
	if l := g.Branch.Q.Levels; l.HasSeveralLevels() && len(l.LevelsWithout(f.BucketGroup)) > 0 {
		var with []int
		for i, set := range l.GroupSets {
			if slices.Contains(set, f.BucketGroup) {
				with = append(with, i)
			}
		}
		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{rollup.IsOneOf(&sqlexpr.Ref{ID: len(g.Branch.Q.Groups)}, with)}, Why: "levels"}
	}
	keys := rows.Schema().ColumnRefs()[:g.Branch.Q.KeyCount()]
	return &plan.Aggregate{Input: rows, Keys: slices.Delete(keys, f.BucketGroup, f.BucketGroup+1), Why: "fill"}
}

// groupsInRangeConditions returns the conditions that keep the buckets in range of a branch that reads others. The last column
// of its aggregate counts the rows in range where they need that.
func groupsInRangeConditions(g branch.Grouped, rowsInRange int) []sqlexpr.Expr {
	if g.Branch.Calendars.ScansPeriodsOutsideRange() {
		return []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpGt, L: &sqlexpr.Ref{ID: rowsInRange}, R: build.Integer(0)}}
	}
	return g.Branch.NewBranchRangeConditions().BucketsInRangeConditions()
}
