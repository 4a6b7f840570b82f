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

// addFilledBuckets adds a branch of the filled buckets, whose rows are there before the windows:
//
//	branches ──┬──────────────────────────────────────────► match on the group-bys ─► windows ─► …
//	           └─► other group-bys ─┐                        ▲
//	first bucket, count ─► numbers ─┴─► filled buckets ──────┘
func addFilledBuckets(a *branch.Query, planned []branch.Grouped, names *naming.Namer) []branch.Grouped {
	planned, buckets := planFilledBucketKeys(a.GapFill, planned, names)
	filled := branch.Grouped{Node: buckets, Rows: -1}
	if slices.ContainsFunc(a.Cols.MeasureRefs, isWindow) {
		marked := append(buckets.Schema().ColumnRefs(), plan.NamedExpr{Name: names.UniqueName("is_filled"), Expr: build.Integer(1), Type: sqlexpr.TypeInt})
		filled.Node, filled.Rows = &plan.Project{Input: buckets, Cols: marked}, 0
	}
	return append(planned, filled)
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

// otherGroupCombinations lists the combinations of the other group-bys that the branches read, rows out of range included, with the
// level where there are several. The returned branches share their rows with it.
func otherGroupCombinations(f *fill.Fill, branches []branch.Grouped) ([]branch.Grouped, plan.Node) {
	shared := slices.Clone(branches)
	var nodes []plan.Node
	for i, g := range branches {
		if g.MovesRows() {
			continue // from groups that another branch reads
		}
		nodes = append(nodes, groupCombinationsOf(f, g, build.SharedRows(g.Node, "groups_of_"+g.Branch.Br.Home.Name, "fill")))
		shared[i].Node = build.SharedRows(g.Node, "rows_of_"+g.Branch.Br.Home.Name, "fill")
	}
	if len(nodes) == 1 {
		return shared, nodes[0]
	}
	return shared, &plan.Combine{Keys: len(nodes[0].Schema()), Branches: nodes}
}

// groupCombinationsOf lists the combinations that one branch has.
func groupCombinationsOf(f *fill.Fill, g branch.Grouped, rows plan.Node) plan.Node {
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
