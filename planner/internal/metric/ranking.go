package metric

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/refine"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/window"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// planKeptTopValues plans the values that top keeps; nil where the query has no top. The branches are those of
// the query itself.
func planKeptTopValues(a *branch.Query, branches []*branch.Branch) (*top.Kept, error) {
	if a.Top == nil {
		return nil, nil
	}
	if err := checkTopMetricTimeTypesMatch(a, branches); err != nil {
		return nil, err
	}
	ranked, err := planRanking(a)
	if err != nil {
		if own := checkQueryWithTopRemoved(a); own != nil {
			return nil, own // its retry keeps all groups of the query
		}
		return nil, err
	}
	return &top.Kept{Spec: a.Top, Node: a.Top.Keep(ranked), Shared: len(branches) > 1 || a.Levels.HasSeveralLevels() || len(a.Cols.LevelTables) > 0, Why: a.Top.ExplainText(a.Groups)}, nil
}

// checkQueryWithTopRemoved returns the error of the query without top.
func checkQueryWithTopRemoved(a *branch.Query) error {
	plain := *a
	plain.Top = nil
	_, err := planAndCombineBranches(&plain)
	return err
}

// checkTopMetricTimeTypesMatch rejects values of metric_time that the branches store as different types:
// a value of one branch would not meet the same value of another.
func checkTopMetricTimeTypesMatch(a *branch.Query, branches []*branch.Branch) error {
	for _, i := range append([]int{a.Top.Dimension}, a.Top.WithinGroups...) {
		g := a.Groups[i]
		if !g.OnAxis || !g.HasStoredValue() {
			continue
		}
		for _, br := range branches[1:] {
			if br.Axis == nil || branches[0].Axis == nil || br.Axis.Type == branches[0].Axis.Type {
				continue
			}
			return &planerr.Error{
				Code: planerr.CodeNotImplemented,
				Message: "top matches the values of " + g.Name + ", which " + branches[0].Axis.QualifiedName() + " and " + br.Axis.QualifiedName() +
					" store as different types",
				Metrics:  br.MetricNames(),
				Fragment: map[string]any{"group_by": retry.ReplaceGrain(a.In.Query.GroupBy, g, max(sqlexpr.GrainDay, branches[0].Axis.StoredGrain(), br.Axis.StoredGrain()))},
			}
		}
	}
	return nil
}

// planRanking plans the query grouped by top.within and the dimension alone, with the
// column that ranks. It reads the rows of all branches, because each of them may have a value
// that the others do not. The NULL value of the dimension takes no part.
func planRanking(a *branch.Query) (*plan.Filter, error) {
	rows := replaceWindowsByInputs(cmp.Or(a.RankedBy, a))
	branches, slots, err := branch.Build(rows)
	if err != nil {
		return nil, err
	}
	branches, slots = branch.KeepMembersReadBy(branches, slots, a.Top.RankColumn.Expr)
	q := newRankingQuery(rows, a.Top)
	if len(q.Cols.LevelTables) > 0 {
		if q, err = withLevelTables(q, rows, nil); err != nil {
			return nil, err
		}
	}
	combined, err := window.Plan(q, branch.RouteFinder{Q: rows, Branches: branches}, slots, nil)
	if err != nil {
		return nil, err
	}
	values := refine.ProjectColumns(q, combined)
	dimension := &sqlexpr.Ref{ID: len(q.Groups) - 1}
	return &plan.Filter{Input: values, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: dimension}}, Why: "top"}, nil
}

// replaceWindowsByInputs returns the query with the inputs of windows in place of the windows, which look at
// rows outside of a time range. It reads the input rows of the query.
func replaceWindowsByInputs(a *branch.Query) *branch.Query {
	q := *a
	q.Top, q.Levels, q.GapFill = nil, levels.Levels{}, nil
	rankable := a.Compare.MeasureRefsOfCurrentRange(a.Cols.MeasureRefs)
	refs := make([]*measure.Ref, len(rankable))
	for i, u := range rankable {
		plain := *u
		plain.Window, plain.InputOf, plain.Read, plain.RefKey.Window = nil, nil, measure.InputRead{}, ""
		refs[i] = &plain
	}
	q.Cols.MeasureRefs = refs
	return &q
}

// newRankingQuery returns the query that ranks the values, over the rows of a query: its groups are
// top.within and then the dimension.
func newRankingQuery(a *branch.Query, t *top.Spec) *branch.Query {
	q := *a
	q.Groups = make([]scope.Group, 0, len(t.WithinGroups)+1)
	for _, i := range append(slices.Clone(t.WithinGroups), t.Dimension) {
		q.Groups = append(q.Groups, a.Groups[i])
	}
	q.Cols.Columns, q.Cols.Shares = []measure.Column{t.RankColumn}, nil
	positions := slices.Repeat([]int{-1}, len(a.Groups))
	for at, i := range append(slices.Clone(t.WithinGroups), t.Dimension) {
		positions[i] = at
	}
	tables := make([]*measure.LevelTable, len(a.Cols.LevelTables))
	for i, table := range a.Cols.LevelTables {
		tables[i] = table.OverGroups(positions)
	}
	q.Cols.LevelTables = tables
	return &q
}
