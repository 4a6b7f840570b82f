package reference

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// alignCompareToWeekdays checks that compare moves by months and that its buckets are days or weeks.
func (e *evaluator) alignCompareToWeekdays(s timeRange) bool {
	c := e.compare.asked
	unit := sqlexpr.GrainNone
	if c.Offset != nil && e.cat.Period(c.Offset.Unit) == nil {
		unit, _ = sqlexpr.ParseGrain(c.Offset.Unit)
	}
	if unit < sqlexpr.GrainMonth {
		e.addMustRejectCode("bad_request")
		return false
	}
	if !e.shiftStartsInYearOneOrLater(s, unit, c.Offset.Count) {
		e.addMustRejectCode("unsupported_filter")
		return false
	}
	if i := e.groupByIndexOfRangeField(s); i >= 0 {
		if g := e.groups[i]; g.period != nil || g.grain != sqlexpr.GrainDay && g.grain != sqlexpr.GrainWeek {
			e.addMustRejectCode("not_implemented")
			return false
		}
	}
	return true
}

// weeksOfCompare returns the weeks that lie nearest to the days between the start of a range and its start moved back.
func (e *evaluator) weeksOfCompare(s timeRange) *query.PeriodOffset {
	offset := e.compare.asked.Offset
	unit, _ := sqlexpr.ParseGrain(offset.Unit)
	start, _ := toTimestamp(s.start)
	moved, _ := toTimestamp(e.clock.shiftRange(s, unit, -int(offset.Count)).start)
	days := int64(start.toDate()) - int64(moved.toDate())
	weeks := days / 7
	if days-7*weeks > 3 { // of seven days the fourth is nearer to the week that follows
		weeks++
	}
	return &query.PeriodOffset{Count: weeks, Unit: "week"}
}
