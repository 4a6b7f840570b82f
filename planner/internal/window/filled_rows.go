package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/fill"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// addFilledBuckets adds a branch of the filled buckets, whose rows are there before the windows:
//
//	branches ──┬──────────────────────────────────────────► match on the group-bys ─► windows ─► …
//	           └─► other group-bys ─┐                        ▲
//	first bucket, count ─► numbers ─┴─► filled buckets ──────┘
func addFilledBuckets(a *branch.Query, planned []grouping.Grouped, names *naming.Namer) ([]grouping.Grouped, error) {
	planned, buckets, err := planFilledBucketKeys(a.GapFill, planned, names)
	if err != nil {
		return nil, err
	}
	filled := grouping.Grouped{Node: buckets, Rows: -1}
	if slices.ContainsFunc(a.Cols.MeasureRefs, isWindow) {
		marked := append(buckets.Schema().ColumnRefs(), plan.NamedExpr{Name: names.UniqueName("is_filled"), Expr: build.Integer(1), Type: sqlexpr.TypeInt})
		filled.Node, filled.Rows = &plan.Project{Input: buckets, Cols: marked}, 0
	}
	return append(planned, filled), nil
}

// planFilledBucketKeys returns the keys of the rows that the result has at least. The returned branches share their
// rows with it where it reads them.
func planFilledBucketKeys(f *fill.Fill, branches []grouping.Grouped, names *naming.Namer) ([]grouping.Grouped, plan.Node, error) {
	rows := f.Starts
	if rows == nil {
		rows = &plan.Numbers{Name: names.UniqueName("bucket_number"), Count: f.BucketCount}
	}
	a := branches[0].Branch.Q
	bucket, others := bucketColumnOfNumber(f, a.Groups[f.BucketGroup], &sqlexpr.Ref{}), []plan.NamedExpr(nil)
	switch {
	case f.HasOtherGroups(a.Groups):
		shared, combinations := otherGroupCombinations(f, branches)
		groups := &plan.Derived{Input: combinations, Alias: "filled_groups", Why: "fill"}
		buckets := &plan.Derived{Input: rows, Alias: "filled_buckets", Why: "fill"}
		bucket = bucketColumnOfNumber(f, a.Groups[f.BucketGroup], build.DerivedColumn(buckets, 0))
		branches, others, rows = shared, build.DerivedColumns(groups), &plan.Join{Left: groups, Right: buckets, Kind: plan.InnerJoin}
	case a.Levels.HasSeveralLevels():
		var level sqlexpr.Expr
		rows, level = repeatForLevels(f, a, rows, names)
		others = []plan.NamedExpr{{Name: branches[0].Branch.Level, Expr: level, Type: sqlexpr.TypeInt}}
	}
	keys, err := keysOfFilledBuckets(f, a, bucket, others)
	if err != nil {
		return nil, nil, err
	}
	filled := &plan.Project{Input: rows, Cols: keys}
	if f.Axis() == nil {
		return branches, filled, nil
	}
	filled, err = a.AttributesOf(f.Axis(), f.Within).Join(filled, "filled", "fill", names)
	return branches, filled, err
}

// keysOfFilledBuckets returns the keys of rows that are added: a bucket with its attributes, and the other columns.
func keysOfFilledBuckets(f *fill.Fill, a *branch.Query, bucket plan.NamedExpr, others []plan.NamedExpr) ([]plan.NamedExpr, error) {
	keys := make([]plan.NamedExpr, 0, a.KeyCount())
	var level sqlexpr.Expr
	if a.Levels.HasSeveralLevels() {
		level = others[len(others)-1].Expr
	}
	for i, g := range a.Groups {
		switch {
		case i == f.BucketGroup:
			keys = append(keys, bucket)
		case f.IsAttribute(i):
			key, err := a.AttributesOf(f.Axis(), f.Within).KeyInBucket(i, bucket.Expr, level)
			if err != nil {
				return nil, err
			}
			keys = append(keys, plan.NamedExpr{Name: g.Name, Expr: key, Type: g.Type})
		default:
			keys, others = append(keys, others[0]), others[1:]
		}
	}
	return append(keys, others...), nil
}

// repeatForLevels repeats the buckets for each level that has them, and returns the level of a row.
func repeatForLevels(f *fill.Fill, a *branch.Query, buckets plan.Node, names *naming.Namer) (plan.Node, sqlexpr.Expr) {
	levels := levelsWithBuckets(f, a)
	if len(levels) == 1 {
		return buckets, build.Integer(levels[0])
	}
	number := &sqlexpr.Ref{ID: len(buckets.Schema())}
	level := &sqlexpr.Case{Else: build.Integer(levels[0])}
	for i, l := range levels[1:] {
		level.Whens = append(level.Whens, sqlexpr.When{Cond: &sqlexpr.Binary{Op: sqlexpr.OpEq, L: number, R: build.Integer(i + 1)}, Then: build.Integer(l)})
	}
	return &plan.Repeat{Input: buckets, Name: names.UniqueName("filled_level"), Count: int64(len(levels))}, level
}

// levelsWithBuckets lists the levels that have the column of the buckets.
func levelsWithBuckets(f *fill.Fill, a *branch.Query) []int {
	var out []int
	for i, set := range a.Levels.GroupSets {
		if slices.Contains(set, f.BucketGroup) {
			out = append(out, i)
		}
	}
	return out
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
func otherGroupCombinations(f *fill.Fill, branches []grouping.Grouped) ([]grouping.Grouped, plan.Node) {
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
func groupCombinationsOf(f *fill.Fill, g grouping.Grouped, rows plan.Node) plan.Node {
	if l := g.Branch.Q.Levels; l.HasSeveralLevels() && len(l.LevelsWithout(f.BucketGroup)) > 0 {
		with := levels.IsOneOf(&sqlexpr.Ref{ID: len(g.Branch.Q.Groups)}, levelsWithBuckets(f, g.Branch.Q))
		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{with}, Why: "levels"}
	}
	if count := g.RowsInRange(); count >= 0 && f.Starts != nil {
		// No window reads the days without a period: they are in a group only where the range has them.
		hasPeriod := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: f.BucketGroup}}
		isShown := &sqlexpr.Binary{Op: sqlexpr.OpGt, L: &sqlexpr.Ref{ID: count}, R: build.Integer(0)}
		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpOr, L: hasPeriod, R: isShown}}, Why: "groups"}
	}
	var keys []plan.NamedExpr
	for i, key := range rows.Schema().ColumnRefs()[:g.Branch.Q.KeyCount()] {
		if i != f.BucketGroup && (i >= len(g.Branch.Q.Groups) || !f.IsAttribute(i)) {
			keys = append(keys, key)
		}
	}
	return &plan.Aggregate{Input: rows, Keys: keys, Why: "fill"}
}
