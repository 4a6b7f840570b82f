package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// planKeptTopValues plans the values that top keeps; nil where the query has no top. The branches are those of
// the query itself.
func planKeptTopValues(a *resolvedQuery, branches []*measureBranch) (*top.Kept, error) {
	if a.top == nil {
		return nil, nil
	}
	if err := a.checkTopMetricTimeTypesMatch(branches); err != nil {
		return nil, err
	}
	ranked, err := a.planRanking()
	if err != nil {
		if own := a.checkQueryWithTopRemoved(); own != nil {
			return nil, own // its retry keeps all groups of the query
		}
		return nil, err
	}
	return &top.Kept{Spec: a.top, Node: a.top.Keep(ranked), Shared: len(branches) > 1 || a.levels.HasSeveralLevels(), Why: a.top.ExplainText(a.groups)}, nil
}

// checkQueryWithTopRemoved returns the error of the query without top.
func (a *resolvedQuery) checkQueryWithTopRemoved() error {
	plain := *a
	plain.top = nil
	_, err := planAndCombineBranches(&plain)
	return err
}

// checkTopMetricTimeTypesMatch rejects values of metric_time that the branches store as different types:
// a value of one branch would not meet the same value of another.
func (a *resolvedQuery) checkTopMetricTimeTypesMatch(branches []*measureBranch) error {
	for _, i := range append([]int{a.top.Dimension}, a.top.WithinGroups...) {
		g := a.groups[i]
		if !g.OnAxis || !g.HasStoredValue() {
			continue
		}
		for _, br := range branches[1:] {
			if br.axis == nil || branches[0].axis == nil || br.axis.Type == branches[0].axis.Type {
				continue
			}
			return &planerr.Error{
				Code: planerr.CodeNotImplemented,
				Message: "top matches the values of " + g.Name + ", which " + branches[0].axis.QualifiedName() + " and " + br.axis.QualifiedName() +
					" store as different types",
				Metrics:  br.metricNames(),
				Fragment: map[string]any{"group_by": retry.ReplaceGrain(a.in.Query.GroupBy, g, max(sqlexpr.GrainDay, branches[0].axis.StoredGrain(), br.axis.StoredGrain()))},
			}
		}
	}
	return nil
}

// planRanking plans the query grouped by top.within and the dimension alone, with the
// column that ranks. It reads the rows of all branches, because each of them may have a value
// that the others do not. The NULL value of the dimension takes no part.
func (a *resolvedQuery) planRanking() (*plan.Filter, error) {
	rows := a.replaceWindowsByInputs()
	branches, slots, err := buildBranches(rows)
	if err != nil {
		return nil, err
	}
	branches, slots = keepBranchMembersReadByExpr(branches, slots, a.top.RankColumn.Expr)
	q := rows.newRankingQuery(a.top)
	nodes, err := planBranches(q, branchJoinRouteFinder{rows, branches}, nil)
	if err != nil {
		return nil, err
	}
	values := resultPlanner{q}.projectColumns(matchBranchesOnGroups(q, branches, slots, nodes))
	dimension := &sqlexpr.Ref{ID: len(q.groups) - 1}
	return &plan.Filter{Input: values, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: dimension}}, Why: "top"}, nil
}

// replaceWindowsByInputs returns the query with the inputs of windows in place of the windows, which look at
// rows outside of a time range. It reads the input rows of the query.
func (a *resolvedQuery) replaceWindowsByInputs() *resolvedQuery {
	q := *a
	q.top, q.levels, q.gapFill = nil, rollup.Levels{}, nil
	rankable := a.compare.MeasureRefsOfCurrentRange(a.cols.MeasureRefs)
	refs := make([]*measure.Ref, len(rankable))
	for i, u := range rankable {
		plain := *u
		plain.Window, plain.InputOf, plain.Read, plain.RefKey.Window = nil, nil, measure.InputRead{}, ""
		refs[i] = &plain
	}
	q.cols.MeasureRefs = refs
	return &q
}

// newRankingQuery returns the query that ranks the values, over the rows of a query: its groups are
// top.within and then the dimension.
func (a *resolvedQuery) newRankingQuery(t *top.Spec) *resolvedQuery {
	q := *a
	q.groups = make([]scope.Group, 0, len(t.WithinGroups)+1)
	for _, i := range append(slices.Clone(t.WithinGroups), t.Dimension) {
		q.groups = append(q.groups, a.groups[i])
	}
	q.cols.Columns, q.cols.Shares = []measure.Column{t.RankColumn}, nil
	return &q
}

// keepBranchMembersReadByExpr returns the branches with those members alone that an expression reads, and where
// they are. A branch without any still has its groups.
func keepBranchMembersReadByExpr(branches []*measureBranch, slots []branchMemberPosition, e sqlexpr.Expr) ([]*measureBranch, []branchMemberPosition) {
	out := make([]branchMemberPosition, len(slots))
	kept := make([][]branchMember, len(branches))
	moved := map[branchMemberPosition]branchMemberPosition{}
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		r, ok := x.(*sqlexpr.Ref)
		if !ok {
			return true
		}
		from := slots[r.ID]
		to, known := moved[from]
		if !known {
			to = branchMemberPosition{from.branch, len(kept[from.branch])}
			kept[from.branch] = append(kept[from.branch], branches[from.branch].members[from.member])
			moved[from] = to
		}
		out[r.ID] = to
		return true
	})
	reduced := make([]*measureBranch, len(branches))
	for i, br := range branches {
		copied := *br
		copied.members = kept[i]
		reduced[i] = &copied
	}
	return reduced, out
}
