package clock

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// TimeBounds is the part of the time line that a query reads; a zero bound is open.
type TimeBounds struct{ From, To time.Time }

// BucketExpr returns the bucket of a time field whose stored value is e. A statement tells apart only the
// changes of the zone within a span.
func (c Clock) BucketExpr(e sqlexpr.Expr, f *catalog.Field, g sqlexpr.Grain, within TimeBounds) sqlexpr.Expr {
	zone := c.ForField(f).zoneForGrain(g, within)
	if g != sqlexpr.GrainWeek || c.daysBeforeMonday == 0 {
		return bucketExpr(e, f, g, zone)
	}
	// The week of a day begins as many days before the Monday of the day so many days later.
	later := dayShiftExpr(sqlexpr.OpAdd, c.daysBeforeMonday, bucketExpr(e, f, sqlexpr.GrainDay, zone))
	return dayShiftExpr(sqlexpr.OpSub, c.daysBeforeMonday, &sqlexpr.Bucket{Grain: sqlexpr.GrainWeek, From: sqlexpr.TypeDate, X: later})
}

func bucketExpr(e sqlexpr.Expr, f *catalog.Field, g sqlexpr.Grain, zone *sqlexpr.TimeZone) sqlexpr.Expr {
	switch {
	case f.Encoding == nil:
		return &sqlexpr.Bucket{Grain: g, From: f.Type, Zone: zone, X: sqlexpr.StoredTime(e)}
	case g.IsWithinDay():
		return &sqlexpr.DecodeTimeCodeExpr{Code: f.Encoding.ToTimeCode(), Grain: g, Zone: zone, X: e}
	}
	return &sqlexpr.Bucket{Grain: g, From: sqlexpr.TypeDate, X: &sqlexpr.DecodeTimeCodeExpr{Code: f.Encoding.ToTimeCode(), Zone: zone, X: e}}
}

// dayShiftExpr returns the day so many days after or before another.
func dayShiftExpr(op sqlexpr.BinaryOp, days int, day sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: op, L: day, R: integerExpr(days)}
}

func integerExpr(n int) sqlexpr.Expr { return &sqlexpr.Number{Text: strconv.Itoa(n)} }

// zoneForGrain returns the zone as buckets of a grain need it; nil where its buckets are those of
// UTC. An hour of a zone that is whole hours ahead is one of UTC.
func (c Clock) zoneForGrain(g sqlexpr.Grain, within TimeBounds) *sqlexpr.TimeZone {
	if c.zone == nil {
		return nil
	}
	from, to := within.From, within.To
	if to.IsZero() {
		to = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	offset, changes := c.zone.OffsetChanges(from, to)
	unit := g.Seconds()
	out := &sqlexpr.TimeZone{Name: c.zone.Name(), Offset: offsetModuloUnit(offset, unit)}
	last := out.Offset
	for _, change := range changes {
		if o := offsetModuloUnit(change.Offset, unit); o != last {
			out.Changes = append(out.Changes, sqlexpr.ZoneOffsetChange{At: change.At, Offset: o})
			last = o
		}
	}
	if unit > 0 && out.Offset == 0 && len(out.Changes) == 0 {
		return nil
	}
	return out
}

// HasEvenBuckets reports whether the buckets of a grain within the day begin whole buckets apart in all of
// some spans. Where a zone puts its clock forward by half an hour, the hours after it do not.
func (c Clock) HasEvenBuckets(g sqlexpr.Grain, spans ...TimeBounds) bool {
	if !g.IsWithinDay() {
		return true
	}
	var first int
	for i, s := range spans {
		var offset int
		if zone := c.zoneForGrain(g, s); zone != nil {
			if offset = zone.Offset; len(zone.Changes) > 0 {
				return false
			}
		}
		if i == 0 {
			first = offset
		} else if offset != first {
			return false
		}
	}
	return true
}

// offsetModuloUnit returns the part of an offset that is less than a unit, 0 for the whole.
func offsetModuloUnit(offset, unit int) int {
	if unit == 0 {
		return offset
	}
	return ((offset % unit) + unit) % unit
}
