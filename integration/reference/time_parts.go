package reference

import (
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// unitsOfParts are the parts of a time, with the unit of which each is a number.
var unitsOfParts = map[string]sqlexpr.Grain{
	"hour_of_day": sqlexpr.GrainHour, "day_of_week": sqlexpr.GrainDay, "day_of_month": sqlexpr.GrainDay, "day_of_year": sqlexpr.GrainDay,
	"week_of_year": sqlexpr.GrainDay, "month_of_year": sqlexpr.GrainMonth, "quarter_of_year": sqlexpr.GrainQuarter,
}

// unitsOfTimePart returns the units of which a part is a number. Weeks of the query are those of the year unless they begin
// on another day than Monday.
func (e *evaluator) unitsOfTimePart(part string) []sqlexpr.Grain {
	if part == "week_of_year" && e.clock.weekStart == time.Monday {
		return []sqlexpr.Grain{sqlexpr.GrainDay, sqlexpr.GrainWeek}
	}
	return []sqlexpr.Grain{unitsOfParts[part]}
}

// readPart sets the part of a group-by. metric_time is checked when its fields are known.
func (e *evaluator) readPart(g *groupByItem, item query.GroupBy) {
	if _, ok := unitsOfParts[item.Part]; !ok || item.Grain != "" {
		e.addMustRejectCode("bad_request")
		return
	}
	g.part = item.Part
	g.name += "__" + item.Part
	if !g.onAxis {
		e.checkPart(g.field, item.Part)
	}
}

// checkPart rejects a part that a field does not have. A field that stores weeks has the week of the year, of ISO 8601, though
// the weeks of the query begin on another day.
func (e *evaluator) checkPart(f *catalog.Field, part string) {
	if part == "week_of_year" && storedGrain(f) == sqlexpr.GrainWeek {
		return
	}
	e.checkGrain(f, unitsOfParts[part])
}

// isPartAttribute reports whether a part of the axis has one value in each bucket.
func (e *evaluator) isPartAttribute(g groupByItem, axis *catalog.Field, bucket groupByItem) bool {
	if !g.onAxis && !g.equals(fieldTarget{field: axis}) || bucket.period != nil {
		return false
	}
	return slices.ContainsFunc(e.unitsOfTimePart(g.part), func(unit sqlexpr.Grain) bool { return dividesInto(bucket.grain, unit) })
}

// partOfTime returns a part of a field's value, on the clock of the query.
func (c clock) partOfTime(f *catalog.Field, part string, v Value) Value {
	m, ok := toTimestamp(v)
	if _, isText := v.(string); !ok || isText {
		return nil
	}
	if c.appliesToField(f) {
		m = c.localTime(m)
	}
	t := time.UnixMicro(int64(m)).UTC()
	_, week := t.ISOWeek()
	return float64(map[string]int{
		"hour_of_day": t.Hour(), "day_of_week": (int(t.Weekday())-int(c.weekStart)+7)%7 + 1, "day_of_month": t.Day(), "day_of_year": t.YearDay(),
		"week_of_year": week, "month_of_year": int(t.Month()), "quarter_of_year": (int(t.Month()) + 2) / 3,
	}[part])
}
