package metric

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxColumns bounds the columns of a result, the group-bys among them.
const maxColumns = limits.QueryColumns

// countColumns refuses a query whose result would have too many columns, before
// they are made.
func countColumns(in *Env, sel Selection, groups []Group, bound Bindings) error {
	tags := max(1, len(in.Query.TimeRanges))
	total, listed := len(groups), 0
	var names []string // of the metrics that lists multiply
	fit := 0           // metrics before the limit is reached
	for _, m := range sel.Metrics {
		if err := in.contextError(); err != nil {
			return err
		}
		columns := tags
		lists := bound.listParams(m)
		for _, i := range lists {
			if columns *= len(bound.params()[i].Values); columns > maxExpanded {
				return bound.tooManyCombinationsError(m.Name)
			}
		}
		if len(lists) > 0 {
			listed += columns
			names = append(names, m.Name)
		}
		if total += columns; total <= maxColumns {
			fit++
		}
	}
	if listed > maxExpanded {
		return bound.tooManyCombinationsError(names...)
	}
	if total > maxColumns {
		return tooManyColumnsError(in.Query, total, fit)
	}
	return nil
}

// tooManyColumnsError is the error of a result with too many columns; its retry asks for as many
// of the metrics as fit.
func tooManyColumnsError(q *query.MetricQuery, columns, fit int) error {
	e := &planerr.Error{
		Code: planerr.CodeBadRequest,
		Message: "metrics, time_ranges, params and group_by make " + strconv.Itoa(columns) + " result columns, and a query may have " +
			strconv.Itoa(maxColumns) + ": ask in several queries",
	}
	if fit > 0 {
		e.Fragment = map[string]any{"metrics": q.Metrics[:fit]}
	}
	return e
}
