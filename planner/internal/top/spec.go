package top

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Spec is the key top of a query with its names resolved: which values of a group are
// kept, and what to do with the remaining ones.
type Spec struct {
	Dimension    int   // index of a group
	WithinGroups []int // indexes of groups
	RankColumn   measure.Column
	n            int64
	desc         bool
	MergesOthers bool         // the remaining values become one; otherwise their rows are dropped
	label        sqlexpr.Expr // what the merged value shows; nil: NULL
}

// Resolve resolves the key top; nil where the query has none.
func Resolve(in *scope.Env, groups []scope.Group, cols measure.Expansion) (*Spec, error) {
	q := in.Query.Top
	if q == nil {
		return nil, nil
	}
	if q.N < 1 || q.N > limits.QueryTopValues {
		return nil, invalidTopError("top.n is " + strconv.FormatInt(q.N, 10) + ": it may be from 1 to " + strconv.Itoa(limits.QueryTopValues))
	}
	t := &Spec{n: q.N, desc: q.Desc == nil || *q.Desc, MergesOthers: q.Other == nil || !q.Other.Off}
	var err error
	if t.Dimension, err = scope.FindTopGroup(in, groups, q.Dimension, "dimension"); err != nil {
		return nil, err
	}
	if t.WithinGroups, err = resolveTopWithin(in, groups, t.Dimension); err != nil {
		return nil, err
	}
	if t.RankColumn, err = findMetricColumnToRankBy(in, cols); err != nil {
		return nil, err
	}
	if q.Other != nil && t.MergesOthers {
		if t.label, err = remainderLabel(in, groups[t.Dimension]); err != nil {
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
func findMetricColumnToRankBy(in *scope.Env, cols measure.Expansion) (measure.Column, error) {
	by := in.Query.Top.By
	if by == "" {
		return cols.Columns[0], nil
	}
	var names []string
	for _, c := range cols.Columns {
		if c.Kind != "" {
			continue
		}
		if c.Name == by {
			return c, nil
		}
		names = append(names, c.Name)
	}
	message := "top.by names " + naming.Quote(by) + ", which is not a metric column of this result"
	if m := in.Cat.Metric(by); m != nil {
		own := slices.DeleteFunc(measure.ValueColumnNamesOfMetric(cols.Columns, m), func(name string) bool { return !slices.Contains(names, name) })
		if len(own) > 0 {
			names, message = own, by+" has several columns here; rank by one of them"
		}
	}
	retry := *in.Query.Top
	nearest := suggest.Nearest(by, names, resolve.MaxCandidates)
	retry.By = nearest[0]
	return measure.Column{}, &planerr.Error{
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

// checkTopWindows rejects a top that ranks by a window, or merges the buckets that a window runs along or
// attributes of buckets.
func checkTopWindows(in *scope.Env, groups []scope.Group, t *Spec, cols measure.Expansion) error {
	if by := t.RankColumn; by.ReadsWindow(cols.MeasureRefs) {
		e := &planerr.Error{
			Code:           planerr.CodeNotImplemented,
			Message:        "top ranks values by " + by.Name + ", which is a window over the groups that top makes",
			Metrics:        []string{by.Metric.Name},
			SuggestedRetry: "rank by a metric without a window",
		}
		for _, c := range cols.Columns {
			if c.Kind == "" && !c.ReadsWindow(cols.MeasureRefs) {
				retry := *in.Query.Top
				retry.By = c.Name
				e.Fragment = map[string]any{"top": &retry}
				break
			}
		}
		return e
	}
	for _, u := range cols.MeasureRefs {
		if u.Window != nil && u.Window.AxisGroup == t.Dimension {
			return windowPreventsTopError(in, u.Window, "is a window that runs along "+groups[t.Dimension].Name+", so top cannot merge values of it")
		}
		if u.Axis != nil && in.BucketsOfAxis(groups, u.Axis).IsAttribute(t.Dimension) {
			return &planerr.Error{
				Code:     planerr.CodeNotImplemented,
				Message:  "top cannot merge values of " + groups[t.Dimension].Name + ": its values follow from the buckets of " + groups[in.BucketsOfAxis(groups, u.Axis).Group].Name + ", which stay apart",
				Fragment: map[string]any{"top": nil},
			}
		}
	}
	return nil
}

func windowPreventsTopError(in *scope.Env, w *measure.Window, what string) error {
	return &planerr.Error{
		Code:           planerr.CodeNotImplemented,
		Message:        w.Metric.Name + " " + what,
		Metrics:        []string{w.Owner},
		SuggestedRetry: "choose another dimension for top, or leave out " + w.Owner,
		Fragment:       retry.DropMetric(in, w.Owner),
	}
}
