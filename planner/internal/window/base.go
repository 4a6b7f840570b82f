package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
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
func planWindowBase(p *branch.Planner, r branch.RouteFinder, names *naming.Namer) (branch.Grouped, error) {
	w := p.Br.Window
	inner := *p.Q
	inner.GapFill = nil // which the window's own branch fills
	branches, slots, err := branch.BuildOfWindow(&inner, w)
	if err != nil {
		return branch.Grouped{}, err
	}
	if err := branch.CheckSameAxisStorage(inner.In.Query, inner.Groups, branches); err != nil {
		return branch.Grouped{}, err
	}
	if err := checkBranchesAgreeOnReadBeyondRange(p, branches); err != nil {
		return branch.Grouped{}, err
	}
	nodes, err := Plan(&inner, branch.RouteFinder{Q: r.Q, Branches: branches}, p.Kept)
	if err != nil {
		return branch.Grouped{}, err
	}
	combined := branch.Match(&inner, branches, slots, nodes)
	out := branch.Grouped{Branch: p, Slots: []int{0}, Rows: -1}
	keys := p.Q.KeyCount()
	cols := combined.Keys.ColumnRefs()
	add := func(name string, e sqlexpr.Expr, t sqlexpr.Type) int {
		cols = append(cols, plan.NamedExpr{Name: names.UniqueName(name), Expr: e, Type: t})
		return len(cols) - 1 - keys
	}
	if w.Spec.Recompute == nil {
		out.Slots[0] = add(w.Metric.Name+"_base", combined.RewriteOverColumns(w.Base.Expr), w.Typ)
	}
	if w.Spec.Recompute != nil || w.Spec.Offset != nil && p.Q.GapFill != nil {
		out.Inputs = map[int]int{}
		for _, i := range w.Base.Inputs {
			u := p.Q.Cols.MeasureRefs[i]
			out.Inputs[i] = add(u.Measure.Stem, combined.RewriteOverColumns(&sqlexpr.Ref{ID: i}), u.Measure.Type)
		}
	}
	for _, n := range nodes {
		out.Inner = append(out.Inner, n.Once...)
	}
	hasRows := bucketHasRowsMarker(w, branches, nodes)
	if hasRows != nil || p.Q.GapFill != nil {
		if hasRows == nil {
			hasRows = build.Integer(1)
		}
		out.Rows = add("rows_of_bucket", hasRows, sqlexpr.TypeInt)
	}
	if p.Calendars.HasRowsInRangeCountColumn() {
		count := countOfRowsInRange(branches, nodes)
		if p.Calendars.ScansPeriodsOutsideRange() && w.Base.Expanded {
			count = build.CaseWhen(&sqlexpr.IsNull{Not: true, X: hasRows}, count) // NULL in a filled period that rows of others reach
		}
		add("rows_in_range", count, sqlexpr.TypeInt)
	}
	out.Node = &plan.Project{Input: combined.Node, Cols: cols}
	if w.Base.Expanded && p.Q.GapFill == nil {
		out.Node = &plan.Filter{Input: out.Node, Conds: []sqlexpr.Expr{bucketHasRowsCondition(out)}, Why: "buckets with rows"}
	}
	return out, nil
}

// hasBucketsWithoutRows reports whether the branch has buckets without rows, which rows of other buckets reach.
func hasBucketsWithoutRows(g branch.Grouped) bool {
	return g.Branch.Br.Window != nil && g.Branch.Br.Window.Base.Expanded
}

// bucketHasRowsCondition returns the condition that a bucket of the branch has rows. The one row of the level without group-bys is there
// without rows too.
func bucketHasRowsCondition(g branch.Grouped) sqlexpr.Expr {
	has := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: g.Branch.Q.KeyCount() + g.Rows}}
	if total := g.Branch.Q.Levels.LevelOfGroupSet(nil); total >= 0 {
		return &sqlexpr.Binary{Op: sqlexpr.OpOr, L: has, R: rollup.IsOneOf(&sqlexpr.Ref{ID: len(g.Branch.Q.Groups)}, []int{total})}
	}
	return has
}

// joinToExpandedBuckets adds the filled buckets to the rows of a branch, and leaves out the buckets that have no
// rows and are not filled.
func joinToExpandedBuckets(g branch.Grouped, buckets plan.Node) plan.Node {
	keys, schema := g.Branch.Q.KeyCount(), g.Node.Schema()
	marked := &plan.Project{Input: buckets, Cols: append(buckets.Schema().ColumnRefs(), plan.NamedExpr{Name: "is_filled", Expr: build.Integer(1), Type: sqlexpr.TypeInt})}
	both := &plan.Combine{Keys: keys, Branches: []plan.Node{g.Node, marked}, Zero: make([]bool, len(schema)-keys+1)}
	shown := &sqlexpr.Binary{Op: sqlexpr.OpOr, L: bucketHasRowsCondition(g), R: &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: len(schema)}}}
	return &plan.Project{Input: &plan.Filter{Input: both, Conds: []sqlexpr.Expr{shown}, Why: "buckets with rows"}, Cols: schema.ColumnRefs()}
}

// bucketHasRowsMarker is 1 in the buckets that have rows of the base; nil where all have.
func bucketHasRowsMarker(w *measure.Window, branches []*branch.Branch, nodes []branch.Planned) sqlexpr.Expr {
	if !w.Base.Expanded {
		return nil
	}
	var conds []sqlexpr.Expr
	for i, br := range branches {
		at := slices.IndexFunc(br.Members, func(u branch.Member) bool {
			return u.Ref.Measure.Stem == measure.BucketRowCount && u.Ref.Read.Kind == measure.ReadKindBucketRows
		})
		if at >= 0 {
			conds = append(conds, &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: nodes[i].First + nodes[i].Columns[at]}})
		}
	}
	hasRows := conds[0]
	for _, c := range conds[1:] {
		hasRows = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: hasRows, R: c}
	}
	return build.CaseWhen(hasRows, build.Integer(1))
}

// countOfRowsInRange adds up the rows in range of the branches that read rows as they are. It is their last column.
func countOfRowsInRange(branches []*branch.Branch, nodes []branch.Planned) sqlexpr.Expr {
	var sum sqlexpr.Expr
	for i, br := range branches {
		if br.Read.Kind != measure.ReadKindBucketRows {
			continue
		}
		count := build.CoalesceToNumber(&sqlexpr.Ref{ID: nodes[i].First + nodes[i].Width - 1}, "0")
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
func checkBranchesAgreeOnReadBeyondRange(p *branch.Planner, branches []*branch.Branch) error {
	for _, br := range branches {
		if br.ScanRange.ReadsBeyondRange() == p.Br.ScanRange.ReadsBeyondRange() {
			continue
		}
		return &planerr.Error{
			Code: planerr.CodeNotImplemented,
			Message: p.Br.Window.Metric.Name + " is a window over measures of several time axes, and the range is over one of them; " +
				"a range over metric_time applies to all of them",
			Metrics:        p.Br.MetricNames(),
			SuggestedRetry: "use metric_time as the dimension of the range",
			Fragment:       rangesOverMetricTimeRetry(p.Q.In.Query),
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
