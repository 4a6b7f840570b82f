package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// planWindowBase plans the base of a window over an expression: the branches of its measures, matched on
// the group-bys.
//
//	branches of the base ─► match on the group-bys ─► inputs of the window ─► (window) ─► …
//
// The base of a recomputed window stays apart, as measures; that of any other window is one column. An offset that
// compares filled buckets with others reads the measures too.
func planWindowBase(p *branchPlanner, r branchJoinRouteFinder, names *naming.Namer) (groupedBranch, error) {
	w := p.br.window
	inner := *p.q
	inner.gapFill = nil // which the window's own branch fills
	branches, slots, err := buildBranchesOfWindow(&inner, w)
	if err != nil {
		return groupedBranch{}, err
	}
	if err := checkSameAxisStorage(inner.in.Query, inner.groups, branches); err != nil {
		return groupedBranch{}, err
	}
	if err := checkBranchesAgreeOnReadBeyondRange(p, branches); err != nil {
		return groupedBranch{}, err
	}
	nodes, err := planBranches(&inner, branchJoinRouteFinder{r.q, branches}, p.kept)
	if err != nil {
		return groupedBranch{}, err
	}
	combined := matchBranchesOnGroups(&inner, branches, slots, nodes)
	out := groupedBranch{branch: p, slots: []int{0}, rows: -1}
	keys := p.q.resultRowKeyColumnCount()
	cols := combined.keys.ColumnRefs()
	add := func(name string, e sqlexpr.Expr, t sqlexpr.Type) int {
		cols = append(cols, plan.NamedExpr{Name: names.UniqueName(name), Expr: e, Type: t})
		return len(cols) - 1 - keys
	}
	if w.Spec.Recompute == nil {
		out.slots[0] = add(w.Metric.Name+"_base", combined.RewriteOverColumns(w.Base.Expr), w.Typ)
	}
	if w.Spec.Recompute != nil || w.Spec.Offset != nil && p.q.gapFill != nil {
		out.inputs = map[int]int{}
		for _, i := range w.Base.Inputs {
			u := p.q.cols.MeasureRefs[i]
			out.inputs[i] = add(u.Measure.Stem, combined.RewriteOverColumns(&sqlexpr.Ref{ID: i}), u.Measure.Type)
		}
	}
	for _, n := range nodes {
		out.inner = append(out.inner, n.once...)
	}
	hasRows := bucketHasRowsMarker(w, branches, nodes)
	if hasRows != nil || p.q.gapFill != nil {
		if hasRows == nil {
			hasRows = build.Integer(1)
		}
		out.rows = add("rows_of_bucket", hasRows, sqlexpr.TypeInt)
	}
	if p.calendars.hasRowsInRangeCountColumn() {
		count := countOfRowsInRange(branches, nodes)
		if p.calendars.scansPeriodsOutsideRange() && w.Base.Expanded {
			count = build.CaseWhen(&sqlexpr.IsNull{Not: true, X: hasRows}, count) // NULL in a filled period that rows of others reach
		}
		add("rows_in_range", count, sqlexpr.TypeInt)
	}
	out.node = &plan.Project{Input: combined.Node, Cols: cols}
	if w.Base.Expanded && p.q.gapFill == nil {
		out.node = &plan.Filter{Input: out.node, Conds: []sqlexpr.Expr{out.bucketHasRowsCondition()}, Why: "buckets with rows"}
	}
	return out, nil
}

// hasBucketsWithoutRows reports whether the branch has buckets without rows, which rows of other buckets reach.
func (g groupedBranch) hasBucketsWithoutRows() bool {
	return g.branch.br.window != nil && g.branch.br.window.Base.Expanded
}

// bucketHasRowsCondition returns the condition that a bucket of the branch has rows. The one row of the level without group-bys is there
// without rows too.
func (g groupedBranch) bucketHasRowsCondition() sqlexpr.Expr {
	has := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: g.branch.q.resultRowKeyColumnCount() + g.rows}}
	if total := g.branch.q.levels.LevelOfGroupSet(nil); total >= 0 {
		return &sqlexpr.Binary{Op: sqlexpr.OpOr, L: has, R: rollup.IsOneOf(&sqlexpr.Ref{ID: len(g.branch.q.groups)}, []int{total})}
	}
	return has
}

// joinToExpandedBuckets adds the filled buckets to the rows of a branch, and leaves out the buckets that have no
// rows and are not filled.
func (g groupedBranch) joinToExpandedBuckets(buckets plan.Node) plan.Node {
	keys, schema := g.branch.q.resultRowKeyColumnCount(), g.node.Schema()
	marked := &plan.Project{Input: buckets, Cols: append(buckets.Schema().ColumnRefs(), plan.NamedExpr{Name: "is_filled", Expr: build.Integer(1), Type: sqlexpr.TypeInt})}
	both := &plan.Combine{Keys: keys, Branches: []plan.Node{g.node, marked}, Zero: make([]bool, len(schema)-keys+1)}
	shown := &sqlexpr.Binary{Op: sqlexpr.OpOr, L: g.bucketHasRowsCondition(), R: &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: len(schema)}}}
	return &plan.Project{Input: &plan.Filter{Input: both, Conds: []sqlexpr.Expr{shown}, Why: "buckets with rows"}, Cols: schema.ColumnRefs()}
}

// bucketHasRowsMarker is 1 in the buckets that have rows of the base; nil where all have.
func bucketHasRowsMarker(w *measure.Window, branches []*measureBranch, nodes []plannedBranch) sqlexpr.Expr {
	if !w.Base.Expanded {
		return nil
	}
	var conds []sqlexpr.Expr
	for i, br := range branches {
		at := slices.IndexFunc(br.members, func(u branchMember) bool {
			return u.ref.Measure.Stem == measure.BucketRowCount && u.ref.Read.Kind == measure.ReadKindBucketRows
		})
		if at >= 0 {
			conds = append(conds, &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: nodes[i].first + nodes[i].columns[at]}})
		}
	}
	hasRows := conds[0]
	for _, c := range conds[1:] {
		hasRows = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: hasRows, R: c}
	}
	return build.CaseWhen(hasRows, build.Integer(1))
}

// countOfRowsInRange adds up the rows in range of the branches that read rows as they are. It is their last column.
func countOfRowsInRange(branches []*measureBranch, nodes []plannedBranch) sqlexpr.Expr {
	var sum sqlexpr.Expr
	for i, br := range branches {
		if br.read.Kind != measure.ReadKindBucketRows {
			continue
		}
		count := build.CoalesceToNumber(&sqlexpr.Ref{ID: nodes[i].first + nodes[i].width - 1}, "0")
		if sum == nil {
			sum = count
			continue
		}
		sum = &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: sum, R: count}
	}
	return sum
}

// checkBranchesAgreeOnReadBeyondRange rejects a range of which the window reads neighbouring buckets in some parts of its base, and in others
// the rows in range alone: the range is over the axis of some parts, and bounds no buckets of the others.
func checkBranchesAgreeOnReadBeyondRange(p *branchPlanner, branches []*measureBranch) error {
	for _, br := range branches {
		if br.scanRange.ReadsBeyondRange() == p.br.scanRange.ReadsBeyondRange() {
			continue
		}
		return &planerr.Error{
			Code: planerr.CodeNotImplemented,
			Message: p.br.window.Metric.Name + " is a window over measures of several time axes, and the range is over one of them; " +
				"a range over metric_time applies to all of them",
			Metrics:        p.br.metricNames(),
			SuggestedRetry: "use metric_time as the dimension of the range",
			Fragment:       rangesOverMetricTimeRetry(p.q.in.Query),
		}
	}
	return nil
}

// rangesOverMetricTimeRetry returns a retry whose ranges are over metric_time.
func rangesOverMetricTimeRetry(q *query.MetricQuery) map[string]any {
	if q.TimeRange == nil {
		all := slices.Clone(q.TimeRanges)
		for i := range all {
			all[i].Dimension = scope.MetricTime
		}
		return map[string]any{"time_ranges": all}
	}
	asked := *q.TimeRange
	asked.Dimension = scope.MetricTime
	return map[string]any{"time_range": asked}
}
