package snapshot

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/plan"
)

// valuePlanner plans a branch of semi-additive measures that are the least, the greatest or the mean value of
// the snapshots of a group:
//
//	rows of the branch ─► Aggregate by the group-bys and the snapshot ─► Aggregate by the group-bys
type valuePlanner struct{ branch *grouping.Planner }

// planAggregates plans the branch up to its aggregates.
func (vp valuePlanner) planAggregates(names *naming.Namer, branches int) (grouping.Grouped, error) {
	keys, err := grouping.ListGroupKeys(vp.branch)
	if err != nil {
		return grouping.Grouped{}, err
	}
	filters, err := vp.branch.InputFilters(vp.branch.Q.Conds.Input)
	if err != nil {
		return grouping.Grouped{}, err
	}
	inner := naming.NewNamer()
	for _, g := range vp.branch.Q.Groups {
		inner.UniqueName(g.Name)
	}
	level := ""
	if vp.branch.Q.Levels.HasSeveralLevels() {
		level = inner.UniqueName(vp.branch.Level)
	}
	by := vp.branch.Br.NonAdditive.By
	at, err := vp.branch.Tree.FieldExpr(vp.branch.Home, by, "")
	if err != nil {
		return grouping.Grouped{}, err
	}
	snapshot := plan.NamedExpr{Name: inner.UniqueName(by.Name), Expr: joins.TruncateDateFieldToDay(at, by), Type: by.Type}
	measures, slots, err := vp.branch.BuildAggregates(inner, nil)
	if err != nil {
		return grouping.Grouped{}, err
	}
	counts, rows, err := grouping.NewRowCounts(vp.branch, inner)
	if err != nil {
		return grouping.Grouped{}, err
	}
	if rows >= 0 {
		rows += len(measures)
	}
	from, err := vp.branch.Tree.Plan()
	if err != nil {
		return grouping.Grouped{}, err
	}
	from = vp.branch.Calendars.JoinCalendars(from)
	for _, f := range append(filters, grouping.FilterNode{Why: "non_additive", Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: sqlexpr.StoredTime(at)}}}) {
		from = f.Over(from)
	}
	moved, err := grouping.MoveKeysToCurrentRange(vp.branch, keys)
	if err != nil {
		return grouping.Grouped{}, err
	}
	from, keys, kept := vp.branch.Kept.Join(from, vp.branch.Tree, keys, moved)
	from = top.FilterKept(from, kept)
	node := vp.aggregateEachSnapshot(from, append(slices.Clip(keys), snapshot), level, append(slices.Clip(measures), counts...), branches)
	node = vp.aggregateOverSnapshots(node, names, len(measures))
	return grouping.Grouped{Branch: vp.branch, Node: node, Slots: slots, Rows: rows}, nil
}

// aggregateEachSnapshot groups the rows by the keys, of which the last one is the snapshot. Each level has its snapshots.
func (vp valuePlanner) aggregateEachSnapshot(rows plan.Node, keys []plan.NamedExpr, level string, measures []plan.NamedExpr, branches int) plan.Node {
	home, why := vp.branch.Br.Home.Name, vp.branch.ExplainText(branches)
	if level == "" {
		return &plan.Aggregate{Input: rows, Keys: keys, Measures: measures, Home: home, Why: why}
	}
	sets := make([][]int, len(vp.branch.Q.Levels.GroupSets))
	for i, set := range vp.branch.Q.Levels.GroupSets {
		sets[i] = append(slices.Clip(set), len(keys)-1)
	}
	return &plan.GroupingSets{Input: rows, Keys: keys, Sets: sets, Level: level, Measures: measures, Home: home, Why: why}
}

// aggregateOverSnapshots aggregates the values of the snapshots to one value. After the measures come counts of rows.
func (vp valuePlanner) aggregateOverSnapshots(in plan.Node, names *naming.Namer, measures int) plan.Node {
	schema, n := in.Schema(), vp.branch.Br.NonAdditive
	out := &plan.Aggregate{Input: in, Why: n.Take.String() + " over " + n.By.QualifiedName()}
	ref := func(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }
	for i := range vp.branch.Q.Groups {
		out.Keys = append(out.Keys, plan.NamedExpr{Name: schema[i].Name, Expr: ref(i), Type: schema[i].Type})
	}
	first := len(vp.branch.Q.Groups) + 1 // the snapshot is the key after those of the groups
	if vp.branch.Q.Levels.HasSeveralLevels() {
		out.Keys = append(out.Keys, plan.NamedExpr{Name: vp.branch.Level, Expr: ref(first), Type: sqlexpr.TypeInt})
		first++
	}
	functions := map[catalog.SnapshotTakeAggregation]sqlexpr.Func{catalog.SnapshotTakeMinValue: sqlexpr.FnMin, catalog.SnapshotTakeMaxValue: sqlexpr.FnMax, catalog.SnapshotTakeAvgValue: sqlexpr.FnAvg}
	function := functions[n.Take]
	for i, c := range schema[first:] {
		call := build.Call(function, sqlexpr.InfoOfFunction(function).Name, ref(first+i))
		if i >= measures {
			call = build.Call(sqlexpr.FnSum, "SUM", ref(first+i))
		}
		out.Measures = append(out.Measures, plan.NamedExpr{Name: names.UniqueName(c.Name), Expr: call, Type: c.Type})
	}
	return vp.addTotalRowForNoRows(out, measures)
}

// addTotalRowForNoRows adds the one row of the level without group-bys, which is there without rows too.
func (vp valuePlanner) addTotalRowForNoRows(in *plan.Aggregate, measures int) plan.Node {
	total := vp.branch.Q.Levels.LevelOfGroupSet(nil)
	if total < 0 || !vp.branch.Q.Levels.HasSeveralLevels() {
		return in
	}
	cols := make([]plan.NamedExpr, 0, vp.branch.Q.KeyCount())
	for _, k := range in.Keys[:len(vp.branch.Q.Groups)] {
		cols = append(cols, plan.NamedExpr{Name: k.Name, Expr: &sqlexpr.Null{}, Type: k.Type})
	}
	cols = append(cols, plan.NamedExpr{Name: vp.branch.Level, Expr: build.Integer(total), Type: sqlexpr.TypeInt})
	row := &plan.Project{Input: &plan.Numbers{Name: "total", Count: 1}, Cols: cols}
	zero := make([]bool, len(in.Measures))
	for i := measures; i < len(zero); i++ {
		zero[i] = true // a count of rows
	}
	return &plan.Combine{Keys: vp.branch.Q.KeyCount(), Branches: []plan.Node{in, row}, Zero: zero}
}
