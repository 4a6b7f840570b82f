package timerange

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// TimeContext is what the times of a query mean: its clock, and the time that relative ranges count
// from.
type TimeContext struct {
	Clock clock.Clock
	asOf  asOfInstantAndLocalTime
}

// asOfInstantAndLocalTime is an instant and what the query's clock shows then.
type asOfInstantAndLocalTime struct{ instant, shown time.Time }

// AsOfZoneAndWeekStart are the keys of a query that say what its times mean, and the zone of its target.
type AsOfZoneAndWeekStart struct {
	AsOf, TimeZone, WeekStart string
	Zone                      *timezone.Zone // in place of TimeZone and of the model's zone; nil for those
}

// NewTimeContext reads the keys of a query. Now is the time of a query that gives none.
func NewTimeContext(cat *catalog.Catalog, keys AsOfZoneAndWeekStart, now time.Time) (TimeContext, error) {
	c, err := clock.New(cat, keys.TimeZone, keys.WeekStart, keys.Zone)
	if err != nil {
		return TimeContext{}, err
	}
	if keys.AsOf == "" {
		now = now.UTC().Truncate(time.Second)
		return TimeContext{c, asOfInstantAndLocalTime{now, c.LocalTimeOfInstant(now)}}, nil
	}
	shown, err := parseBound("as_of", keys.AsOf)
	if err != nil {
		return TimeContext{}, &planerr.Error{
			Code:           planerr.CodeBadRequest,
			Message:        "as_of " + planerr.ClipText(keys.AsOf) + " is neither a date nor a timestamp",
			SuggestedRetry: "as_of is a date such as 2024-01-31 or a timestamp such as 2024-01-31T12:00:00, on the clock of the query's time zone",
		}
	}
	return TimeContext{c, asOfInstantAndLocalTime{c.InstantOfLocalTime(shown.Time), shown.Time}}, nil
}

// Now returns the instant from which relative ranges count, in UTC.
func (t TimeContext) Now() time.Time { return t.asOf.instant.UTC() }

// ReadInterval reads the bounds of a range, or counts them from as_of. Key
// names the range in errors.
func (t TimeContext) ReadInterval(key string, q query.TimeRange) (Interval, error) {
	if q.Last == nil {
		return ParseBounds(key, q)
	}
	unit, ok := sqlexpr.ParseGrain(q.Last.Unit)
	if !ok || unit == sqlexpr.GrainSecond || q.Last.N < 1 {
		return Interval{}, InvalidRangeBoundsError(key + ".last needs an n of at least 1, and a unit from minute to year")
	}
	if q.Last.N > maxUnitsInCalendar[unit] {
		return Interval{}, reachesTooFarError(key)
	}
	i := t.lastUnitsInterval(int(q.Last.N), unit, q.Last.Complete == nil || *q.Last.Complete)
	if !YearFitsLiteral(i.Start.Time) || !YearFitsLiteral(i.End.Time) {
		return Interval{}, reachesTooFarError(key)
	}
	return i, nil
}

// maxUnitsInCalendar is how many units the years from 1 to 9999 have at most, so that no count overflows.
var maxUnitsInCalendar = [...]int64{
	sqlexpr.GrainMinute: 9999 * 366 * 24 * 60, sqlexpr.GrainHour: 9999 * 366 * 24, sqlexpr.GrainDay: 9999 * 366, sqlexpr.GrainWeek: 9999 * 53,
	sqlexpr.GrainMonth: 9999 * 12, sqlexpr.GrainQuarter: 9999 * 4, sqlexpr.GrainYear: 9999,
}

func reachesTooFarError(key string) error {
	return InvalidRangeBoundsError(key + ".last reaches beyond the years 1 to 9999")
}

// lastUnitsInterval returns the interval of the last n units, or of the unit that holds as_of and those
// before it.
func (t TimeContext) lastUnitsInterval(n int, unit sqlexpr.Grain, complete bool) Interval {
	if !unit.IsWithinDay() {
		start, end := boundsOfLastUnits(t.Clock.WithoutZone(), t.asOf.shown, n, unit, complete)
		return Interval{boundWithClockFlag(start), boundWithClockFlag(end)}
	}
	// Fields without a zone count on what the clock shows, the others elapsed time.
	start, end := boundsOfLastUnits(t.Clock.WithoutZone(), t.asOf.shown, n, unit, complete)
	out := Interval{boundWithClockFlag(start), boundWithClockFlag(end)}
	out.Start.exact, out.End.exact = boundsOfLastUnits(t.Clock, t.asOf.instant, n, unit, complete)
	return out
}

func boundsOfLastUnits(c clock.Clock, asOf time.Time, n int, unit sqlexpr.Grain, complete bool) (start, end time.Time) {
	this := c.FloorTime(asOf, unit)
	switch {
	case complete:
		return c.ShiftTime(this, unit, -n), this
	case unit.IsWithinDay():
		return c.ShiftTime(this, unit, 1-n), c.ShiftTime(this, unit, 1)
	}
	return c.ShiftTime(this, unit, 1-n), c.ShiftTime(c.FloorTime(asOf, sqlexpr.GrainDay), sqlexpr.GrainDay, 1)
}

// NewResolvedTimeRange describes an interval of a relative range as a response does.
func (t TimeContext) NewResolvedTimeRange(tag, dimension string, i Interval) plan.ResolvedTimeRange {
	start, end := i.Start.OnClock(t.Clock).Time, i.End.OnClock(t.Clock).Time
	return plan.ResolvedTimeRange{
		Tag: tag, Start: BoundAt(t.Clock.LocalTimeOfInstant(start)).Text(), End: BoundAt(t.Clock.LocalTimeOfInstant(end)).Text(), Dimension: dimension,
		AsOf: BoundAt(t.asOf.shown).Text(), TimeZone: t.Clock.ZoneName(), From: start.Unix(), To: end.Unix(),
	}
}
