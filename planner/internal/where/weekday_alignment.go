package where

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// OffsetOfComparison returns the offset by which a range and its buckets move back. With align it is the number of whole weeks that is
// nearest to the distance between the start of the range and that start moved back:
//
//	Monday 2024-03-04, 1 year ─► 2023-03-04, 366 days ─► 52 weeks ─► Monday 2023-03-06
func OffsetOfComparison(in *scope.Env, c query.Compare, current timerange.Interval) (query.PeriodOffset, error) {
	if c.Align == "" {
		return *c.Offset, nil
	}
	unit, _ := sqlexpr.ParseGrain(c.Offset.Unit)
	moved, ok := current.MoveBack(in.Times.Clock, unit, c.Offset.Count)
	if !ok {
		return query.PeriodOffset{}, startBeforeCalendarError()
	}
	days := int64(current.Start.Time.Sub(moved.Start.Time) / (24 * time.Hour))
	return query.PeriodOffset{Count: (days + 3) / 7, Unit: sqlexpr.GrainWeek.String()}, nil
}

func startBeforeCalendarError() error {
	return timerange.InvalidRangeBoundsError("compare.offset moves the start of time_range before the year 1")
}

// checkAlignment rejects align beside what moves by no months.
func checkAlignment(q *query.MetricQuery, comparison int) error {
	c := q.Compare[comparison]
	if c.Align == "" {
		return nil
	}
	message := "compare.align moves an offset to the nearest weeks, and compare has a range"
	if c.Offset != nil {
		if unit, ok := sqlexpr.ParseGrain(c.Offset.Unit); ok && unit >= sqlexpr.GrainMonth {
			return nil
		}
		message = "compare.align takes an offset of months, quarters or years, and not of " + planerr.ClipText(c.Offset.Unit)
	}
	c.Align = ""
	return &planerr.Error{Code: planerr.CodeBadRequest, Message: message, Fragment: map[string]any{"compare": q.Compare.With(comparison, c)}}
}
