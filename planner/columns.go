package planner

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
)

// maxColumns bounds the columns of a result, the group-bys among them.
const maxColumns = limits.QueryColumns

// countColumns refuses a query whose result would have too many columns, before
// they are made.
func (b *build) countColumns() error {
	tags := max(1, len(b.q.TimeRanges))
	total, listed := len(b.groups), 0
	var names []string // of the metrics that lists multiply
	fit := 0           // metrics before the limit is reached
	for _, m := range b.metrics {
		if err := b.ended(); err != nil {
			return err
		}
		columns := tags
		lists := b.lists(m)
		for _, i := range lists {
			if columns *= len(b.bindings[i].Values); columns > maxExpanded {
				return b.tooLarge(m.Name)
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
		return b.tooLarge(names...)
	}
	if total > maxColumns {
		return b.tooWide(total, fit)
	}
	return nil
}

// tooWide is the error of a result with too many columns; its retry asks for as many
// of the metrics as fit.
func (b *build) tooWide(columns, fit int) error {
	e := &planerr.Error{
		Code: planerr.CodeBadRequest,
		Message: "metrics, time_ranges, params and group_by make " + strconv.Itoa(columns) + " result columns, and a query may have " +
			strconv.Itoa(maxColumns) + ": ask in several queries",
	}
	if fit > 0 {
		e.Fragment = map[string]any{"metrics": b.q.Metrics[:fit]}
	}
	return e
}
