package clock

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// PartExpr returns a part of a time field whose stored value is e: a number that the clock shows then. A statement tells apart
// only the changes of the zone within a span.
func (c Clock) PartExpr(e sqlexpr.Expr, f *catalog.Field, p sqlexpr.TimePart, within TimeBounds) sqlexpr.Expr {
	zone := c.ForField(f).zoneForGrain(sqlexpr.GrainDay, within)
	number := &sqlexpr.Extract{Part: p.ExtractName(), X: bucketExpr(e, f, sqlexpr.GrainDay, zone)}
	switch p {
	case sqlexpr.PartHourOfDay:
		number.X = localTimeExpr(e, f, zone)
	case sqlexpr.PartDayOfWeek:
		return c.dayOfWeekExpr(number)
	}
	return number
}

// localTimeExpr returns what the clock shows at a time, to the hour at least.
func localTimeExpr(e sqlexpr.Expr, f *catalog.Field, zone *sqlexpr.TimeZone) sqlexpr.Expr {
	if f.Encoding == nil {
		return &sqlexpr.LocalTime{From: f.Type, Zone: zone, X: e}
	}
	return &sqlexpr.DecodeTimeCodeExpr{Code: f.Encoding.ToTimeCode(), Grain: sqlexpr.GrainHour, Zone: zone, Local: true, X: e}
}

// dayOfWeekExpr counts from 1 on the first day of a week, of a number that is 1 on Monday and 7 on Sunday.
func (c Clock) dayOfWeekExpr(number sqlexpr.Expr) sqlexpr.Expr {
	if c.daysBeforeMonday == 0 {
		return number
	}
	later := number
	if c.daysBeforeMonday > 1 {
		later = &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: number, R: integerExpr(c.daysBeforeMonday - 1)}
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: &sqlexpr.Binary{Op: sqlexpr.OpMod, L: later, R: integerExpr(7)}, R: integerExpr(1)}
}
