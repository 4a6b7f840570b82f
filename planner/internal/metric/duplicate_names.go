package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkDuplicateOutputNames rejects two result columns of one name.
func checkDuplicateOutputNames(in *scope.Env, sel scope.Selection, groups []scope.Group, columns []measure.Column) error {
	seen := naming.NewNumbers[string](len(groups) + len(columns))
	for i := range groups {
		if !seen.AddIfAbsent(strings.ToLower(groups[i].Name)) {
			return duplicateGroupError(in, groups, columns, groups[i])
		}
	}
	for i := range columns {
		if !seen.AddIfAbsent(strings.ToLower(columns[i].Name)) {
			return duplicateColumnError(in, sel, groups, columns, columns[i])
		}
	}
	return nil
}

// duplicateColumnError returns the error of a metric column whose name is taken, by a
// group-by or by another metric's column.
func duplicateColumnError(in *scope.Env, sel scope.Selection, groups []scope.Group, columns []measure.Column, c measure.Column) error {
	e := &planerr.Error{
		Code:    planerr.CodeDuplicateOutputName,
		Message: "two result columns would be named " + c.Name,
		Metrics: []string{c.Metric.Name},
		// If leaving the metric out does not help, tags or values are too similar.
		SuggestedRetry: "give tags, and the values in a list of params, names that differ in more than case",
	}
	if rename := renameGroupOrMetricRetry(in, groups, columns, c.Name); rename != nil && (c.IsShareOrComparison() || isTopRemainderColumn(groups, c.Name)) {
		e.SuggestedRetry, e.Fragment = "", rename
		return e
	}
	if c.Kind == plan.KindShare {
		e.SuggestedRetry, e.Fragment = "", dropShareRetry(in.Query, c.Item)
		return e
	}
	if c.Previous != nil {
		e.SuggestedRetry, e.Fragment = "", measure.DropComparedColumnRetry(in.Query, columns, c)
		return e
	}
	if len(sel.Metrics) > 1 {
		var rest []string
		for _, m := range sel.Metrics {
			if m != c.Metric {
				rest = append(rest, m.Name)
			}
		}
		e.Fragment = map[string]any{"metrics": in.Query.MetricItemsNamed(rest)}
		return e
	}
	for _, g := range groups {
		if strings.EqualFold(g.Name, c.Name) {
			e.Fragment = retry.RemoveGroup(in.Query, groups, g)
		}
	}
	return e
}

// duplicateGroupError returns the error of a group whose column another group has.
func duplicateGroupError(in *scope.Env, groups []scope.Group, columns []measure.Column, g scope.Group) error {
	e := &planerr.Error{
		Code:     planerr.CodeDuplicateOutputName,
		Message:  "two group-by items give the output column " + g.Name,
		Fragment: retry.RemoveGroup(in.Query, groups, g),
	}
	if isTopRemainderColumn(groups, g.Name) {
		e.Message = "the query has an output column " + g.Name + ", which is the column that top adds"
		e.Fragment = renameGroupOrMetricRetry(in, groups, columns, g.Name)
	}
	return e
}

// isTopRemainderColumn reports whether top adds a column of a name.
func isTopRemainderColumn(groups []scope.Group, name string) bool {
	return slices.ContainsFunc(groups, func(g scope.Group) bool { return g.IsRemainder && strings.EqualFold(g.Name, name) })
}

// renameGroupOrMetricRetry returns a retry in which the group or metric with a name, which a key of the query adds a column of, has
// another name; nil where the column is one of several of a metric.
func renameGroupOrMetricRetry(in *scope.Env, groups []scope.Group, columns []measure.Column, name string) map[string]any {
	names := naming.NewNamer()
	names.UniqueName(name)
	for _, g := range groups {
		if !strings.EqualFold(g.Name, name) {
			names.UniqueName(g.Name)
		}
	}
	for _, c := range columns {
		if !strings.EqualFold(c.Name, name) {
			names.UniqueName(c.Name)
		}
	}
	for _, g := range groups {
		if !g.IsRemainder && strings.EqualFold(g.Name, name) {
			return retry.RenameGroup(in.Query, g, names.UniqueName(g.Name))
		}
	}
	for _, c := range columns {
		if !c.IsShareOrComparison() && strings.EqualFold(c.Name, name) && slices.Contains(in.Query.Metrics, c.Name) {
			return retry.AliasMetric(in.Query, c.Name, names.UniqueName(c.Name))
		}
	}
	return nil
}
