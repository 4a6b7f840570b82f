package measure

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxResultColumns bounds the columns of a result, the group-bys among them.
const maxResultColumns = limits.QueryColumns

// CheckColumnCount rejects a query whose result would have too many columns, before
// they are made. Those of compare are counted when the columns that it names are found, by comparedMetricColumnFinder.
func CheckColumnCount(in *scope.Env, sel scope.Selection, groups []scope.Group, bound scope.Bindings) error {
	tags := max(1, len(in.Keys.TimeRanges))
	total, listed := len(groups)+len(in.Query.Shares), 0
	if len(in.Query.Totals) > 0 {
		total++
	}
	var names []string // of the metrics that lists multiply
	fit := 0           // metrics before the limit is reached
	for _, m := range sel.Metrics {
		if err := in.ContextError(); err != nil {
			return err
		}
		columns := tags
		lists := bound.ListBindingIndexes(m)
		for _, i := range lists {
			if columns *= len(bound.QueryBindings()[i].Values); columns > scope.MaxColumnsOfParamLists {
				return bound.TooManyCombinationsError(m.Name)
			}
		}
		if len(lists) > 0 {
			listed += columns
			names = append(names, m.Name)
		}
		if total += columns + countShareColumns(in.Query.Shares, m.Name, columns); total <= maxResultColumns {
			fit++
		}
	}
	if listed > scope.MaxColumnsOfParamLists {
		return bound.TooManyCombinationsError(names...)
	}
	if total > maxResultColumns {
		return tooManyColumnsError(in.Query, total, fit)
	}
	return nil
}

// tooManyColumnsError returns the error of a result with too many columns; its retry requests as many
// of the metrics as fit.
func tooManyColumnsError(q *query.MetricQuery, columns, fit int) *planerr.Error {
	keys := []string{"metrics", "time_ranges", "params", "group_by"}
	if len(q.Shares) > 0 {
		keys = append(keys, "shares")
	}
	if q.Compare != nil {
		keys = append(keys, "compare")
	}
	last := len(keys) - 1
	e := &planerr.Error{
		Code: planerr.CodeBadRequest,
		Message: strings.Join(keys[:last], ", ") + " and " + keys[last] + " make " + strconv.Itoa(columns) + " result columns, and a query may have " +
			strconv.Itoa(maxResultColumns) + ": ask in several queries",
	}
	if fit > 0 {
		e.Fragment = map[string]any{"metrics": q.MetricItemsNamed(q.Metrics[:fit])}
	}
	return e
}

// countShareColumns returns the number of columns that shares of a metric add to one for each item.
func countShareColumns(shares []query.ShareRequest, metric string, columns int) int {
	added := 0
	for _, s := range shares {
		if s.Metric == metric {
			added += columns - 1
		}
	}
	return added
}

// expectedColumnCount returns the number of columns of a query with so many metrics, in which no list of values multiplies those of a metric.
func expectedColumnCount(q *query.MetricQuery, metrics int) int {
	n := metrics * max(1, len(q.TimeRanges))
	added := 0
	for _, c := range q.Compare {
		compared := n
		if c.Metrics != nil {
			compared = len(c.Metrics)
		}
		added += compared * len(comparisonColumnKinds)
	}
	return n + added + len(q.Shares)
}
