package metric

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// topSpec is the key top of a query with its names resolved: which values of a group are
// kept, and what to do with the remaining ones.
type topSpec struct {
	dimension    int   // index of a group
	withinGroups []int // indexes of groups
	rankColumn   metricColumn
	n            int64
	desc         bool
	mergesOthers bool         // the remaining values become one; otherwise their rows are dropped
	label        sqlexpr.Expr // what the merged value shows; nil: NULL
}

// resolveTop resolves the key top; nil where the query has none.
func resolveTop(in *scope.Env, groups []scope.Group, cols Expansion) (*topSpec, error) {
	q := in.Query.Top
	if q == nil {
		return nil, nil
	}
	if q.N < 1 || q.N > limits.QueryTopValues {
		return nil, invalidTopError("top.n is " + strconv.FormatInt(q.N, 10) + ": it may be from 1 to " + strconv.Itoa(limits.QueryTopValues))
	}
	t := &topSpec{n: q.N, desc: q.Desc == nil || *q.Desc, mergesOthers: q.Other == nil || !q.Other.Off}
	var err error
	if t.dimension, err = scope.FindTopGroup(in, groups, q.Dimension, "dimension"); err != nil {
		return nil, err
	}
	if t.withinGroups, err = resolveTopWithin(in, groups, t.dimension); err != nil {
		return nil, err
	}
	if t.rankColumn, err = findMetricColumnToRankBy(in, cols); err != nil {
		return nil, err
	}
	if q.Other != nil && t.mergesOthers {
		if t.label, err = remainderLabel(in, groups[t.dimension]); err != nil {
			return nil, err
		}
	}
	return t, checkTopWindows(in, groups, t, cols)
}

func invalidTopError(message string) *planerr.Error {
	return &planerr.Error{Code: planerr.CodeBadRequest, Message: message}
}

// resolveTopWithin finds the groups that top.within names.
func resolveTopWithin(in *scope.Env, groups []scope.Group, dimension int) ([]int, error) {
	var out []int
	for _, name := range in.Query.Top.Within {
		i, err := scope.FindTopGroup(in, groups, name, "within")
		if err != nil {
			return nil, err
		}
		if i == dimension {
			retry := *in.Query.Top
			retry.Within = naming.Remove(retry.Within, name)
			e := invalidTopError("top.within names " + name + ", which is the dimension of top itself")
			e.Fragment = map[string]any{"top": &retry}
			return nil, e
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// findMetricColumnToRankBy finds the metric column by which values are ranked, the first one by default.
func findMetricColumnToRankBy(in *scope.Env, cols Expansion) (metricColumn, error) {
	by := in.Query.Top.By
	if by == "" {
		return cols.columns[0], nil
	}
	var names []string
	for _, c := range cols.columns {
		if c.kind != "" {
			continue
		}
		if c.name == by {
			return c, nil
		}
		names = append(names, c.name)
	}
	message := "top.by names " + naming.Quote(by) + ", which is not a metric column of this result"
	if m := in.Cat.Metric(by); m != nil {
		own := slices.DeleteFunc(valueColumnNamesOfMetric(cols.columns, m), func(name string) bool { return !slices.Contains(names, name) })
		if len(own) > 0 {
			names, message = own, by+" has several columns here; rank by one of them"
		}
	}
	retry := *in.Query.Top
	nearest := suggest.Nearest(by, names, resolve.MaxCandidates)
	retry.By = nearest[0]
	return metricColumn{}, &planerr.Error{
		Code: planerr.CodeUnknownOrderKey, Message: message, Candidates: nearest,
		Fragment: map[string]any{"top": &retry},
	}
}

// remainderLabel returns the label of the merged value as a literal.
func remainderLabel(in *scope.Env, dimension scope.Group) (sqlexpr.Expr, error) {
	label := in.Query.Top.Other.Label
	if dimension.Type == sqlexpr.TypeString {
		return &sqlexpr.String{Value: label}, nil
	}
	retry := *in.Query.Top
	retry.Other = nil
	e := invalidTopError("top.other is the text " + naming.Quote(label) + ", and " + dimension.Name +
		" is not declared to be text: with true, the remaining values show null")
	e.Fragment = map[string]any{"top": &retry}
	return nil, e
}

// checkTopWindows rejects a top that ranks by a window, or merges the buckets that a window runs
// along.
func checkTopWindows(in *scope.Env, groups []scope.Group, t *topSpec, cols Expansion) error {
	if by := t.rankColumn; readsWindow(by, cols) {
		e := &planerr.Error{
			Code:           planerr.CodeNotImplemented,
			Message:        "top ranks values by " + by.name + ", which is a window over the groups that top makes",
			Metrics:        []string{by.metric.Name},
			SuggestedRetry: "rank by a metric without a window",
		}
		for _, c := range cols.columns {
			if c.kind == "" && !readsWindow(c, cols) {
				retry := *in.Query.Top
				retry.By = c.name
				e.Fragment = map[string]any{"top": &retry}
				break
			}
		}
		return e
	}
	for _, u := range cols.measureRefs {
		if u.window != nil && u.window.axisGroup == t.dimension {
			return windowPreventsTopError(in, u.window, "is a window that runs along "+groups[t.dimension].Name+", so top cannot merge values of it")
		}
		if within := t.nameOfWithinGroupMergedBucketDependsOn(in, groups, u); within != "" {
			return windowPreventsTopError(in, u.inputOf, "moves rows to other buckets, and top merges those of "+groups[t.dimension].Name+" within "+within+", a column that some levels do not have")
		}
	}
	return nil
}

func windowPreventsTopError(in *scope.Env, w *metricWindow, what string) error {
	return &planerr.Error{
		Code:           planerr.CodeNotImplemented,
		Message:        w.metric.Name + " " + what,
		Metrics:        []string{w.owner},
		SuggestedRetry: "choose another dimension for top, or leave out " + w.owner,
		Fragment:       retry.DropMetric(in, w.owner),
	}
}

// nameOfWithinGroupMergedBucketDependsOn returns a group of within on which the merged bucket of a moved row depends, where rows of several
// levels are moved; "" where there is none.
func (t *topSpec) nameOfWithinGroupMergedBucketDependsOn(in *scope.Env, groups []scope.Group, u *MeasureRef) string {
	hasLevels := len(in.Query.Totals)+len(in.Query.Shares) > 0
	if u.inputOf == nil || !hasLevels || !t.mergesBucketsOfMovedRows(groups, u) {
		return ""
	}
	for _, g := range t.withinGroups {
		if !groups[g].ReadsAxis(u.Axis) {
			return groups[g].Name
		}
	}
	return ""
}

// mergesBucketsOfMovedRows reports whether top merges buckets of the axis of a measure whose rows a window moves to other buckets.
func (t *topSpec) mergesBucketsOfMovedRows(groups []scope.Group, u *MeasureRef) bool {
	return u.read.kind.movesRowsToOtherBuckets() && t.mergesOthers && groups[t.dimension].ReadsAxis(u.Axis)
}

// readsWindow reports whether a column reads a window.
func readsWindow(c metricColumn, cols Expansion) bool {
	found := false
	sqlexpr.Walk(c.expr, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok && cols.measureRefs[r.ID].window != nil {
			found = true
		}
		return !found
	})
	return found
}
