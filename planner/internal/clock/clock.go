package clock

import (
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Clock is the calendar of a query, or of one field in it. Its times are instants in UTC;
// without a zone they are what a clock shows, as the fields of a time in UTC.
type Clock struct {
	zone             *timezone.Zone // nil: UTC
	daysBeforeMonday int            // how many days before Monday weeks begin
	ofDays           bool           // the clock of a field of days: it shows midnight only
}

// HasZone reports whether the clock is not that of UTC.
func (c Clock) HasZone() bool { return c.zone != nil }

// WeekStartsOnMonday reports whether weeks are those of ISO 8601.
func (c Clock) WeekStartsOnMonday() bool { return c.daysBeforeMonday == 0 }

// ZoneName returns the name of the clock's zone.
func (c Clock) ZoneName() string {
	if c.zone == nil {
		return timezone.UTC
	}
	return c.zone.Name()
}

// ForField returns the clock of a field: one that stores no instants has no zone.
func (c Clock) ForField(f *catalog.Field) Clock {
	if f.DecodedTimeType() != sqlexpr.TypeTimestampTZ {
		c.zone = nil
	}
	c.ofDays = f.Type == sqlexpr.TypeDate && f.Encoding == nil
	return c
}

// InstantsOf returns the field at whose instants another field shows what this clock does then; nil where it shows anything else.
func (c Clock) InstantsOf(f *catalog.Field) *catalog.Field {
	if f.Shown == nil || !f.Shown.Zone.Equal(c.zone) {
		return nil
	}
	return f.Shown.At
}

// SplitsTimesAt reports whether all instants before that of a local time show earlier times, and all others do not. Where a clock is put
// back, it shows earlier times again.
func (c Clock) SplitsTimesAt(shown time.Time) bool {
	if c.zone == nil {
		return true
	}
	const reach = 24 * time.Hour // of a change of the clock
	at := c.InstantOfLocalTime(shown)
	offset, changes := c.zone.OffsetChanges(at.Add(-reach), at.Add(reach))
	for _, change := range changes {
		first := time.Unix(change.At, 0).UTC()
		last := first.Add(time.Duration(offset) * time.Second)
		offset = change.Offset
		if !first.After(at) && last.After(shown) || first.After(at) && first.Add(time.Duration(offset)*time.Second).Before(shown) {
			return false
		}
	}
	return true
}

// HasUnitsOfUTC reports whether the units of a grain within days are those of the clock of UTC.
func (c Clock) HasUnitsOfUTC(g sqlexpr.Grain) bool {
	return g.IsWithinDay() && c.zone.HasOffsetsOfUnits(g.Seconds())
}

// ShowsDaysOnly reports whether the clock is that of a field of days.
func (c Clock) ShowsDaysOnly() bool { return c.ofDays }

// WithoutZone returns the clock of fields that store no instants.
func (c Clock) WithoutZone() Clock {
	c.zone = nil
	return c
}

// LocalTimeOfInstant returns the local time at an instant.
func (c Clock) LocalTimeOfInstant(instant time.Time) time.Time {
	if c.zone == nil {
		return instant.UTC()
	}
	return c.zone.LocalTimeOfInstant(instant)
}

// localTimeByStatementZoneChanges returns the local time at an instant, by the clock changes that statements contain.
func (c Clock) localTimeByStatementZoneChanges(instant time.Time) time.Time {
	if c.zone == nil {
		return instant.UTC()
	}
	offset, _ := c.zone.OffsetChanges(instant, instant)
	return instant.UTC().Add(time.Duration(offset) * time.Second)
}

// InstantOfLocalTime returns the instant at which the clock shows a time.
func (c Clock) InstantOfLocalTime(shown time.Time) time.Time {
	if c.zone == nil {
		return shown
	}
	return c.zone.InstantOfLocalTime(shown)
}

// FloorTime returns the start of the bucket that t is in.
func (c Clock) FloorTime(t time.Time, g sqlexpr.Grain) time.Time {
	if unit := g.Seconds(); unit > 0 {
		shown := c.localTimeByStatementZoneChanges(t)
		past := shown.Hour()*60*60 + shown.Minute()*60 + shown.Second()
		return t.Add(-time.Duration(past%unit)*time.Second - time.Duration(shown.Nanosecond()))
	}
	return c.InstantOfLocalTime(c.firstDayOfBucket(c.LocalTimeOfInstant(t), g))
}

// firstDayOfBucket returns the first day of the bucket that contains a time, for grains of a day or more.
func (c Clock) firstDayOfBucket(shown time.Time, g sqlexpr.Grain) time.Time {
	y, m, d := shown.Date()
	switch g {
	case sqlexpr.GrainWeek:
		d -= (int(shown.Weekday()) + 6 + c.daysBeforeMonday) % 7
	case sqlexpr.GrainMonth:
		d = 1
	case sqlexpr.GrainQuarter:
		m, d = m-(m-1)%3, 1
	case sqlexpr.GrainYear:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// CeilTime is t, or the start of the next bucket for a t inside one.
func (c Clock) CeilTime(t time.Time, g sqlexpr.Grain) time.Time {
	if f := c.FloorTime(t, g); !f.Equal(t) {
		return c.ShiftTime(f, g, 1)
	}
	return t
}

// ShiftTime moves t by n periods of the grain: those within a day are elapsed time, the
// others move what the clock shows.
func (c Clock) ShiftTime(t time.Time, g sqlexpr.Grain, n int) time.Time {
	if unit := g.Seconds(); unit > 0 {
		// A Duration spans less than the calendar.
		return time.Unix(t.Unix()+int64(n)*int64(unit), int64(t.Nanosecond())).UTC()
	}
	return c.InstantOfLocalTime(shiftDate(c.LocalTimeOfInstant(t), g, n))
}

func shiftDate(t time.Time, g sqlexpr.Grain, n int) time.Time {
	switch g {
	case sqlexpr.GrainWeek:
		return t.AddDate(0, 0, 7*n)
	case sqlexpr.GrainMonth:
		return t.AddDate(0, n, 0)
	case sqlexpr.GrainQuarter:
		return t.AddDate(0, 3*n, 0)
	case sqlexpr.GrainYear:
		return t.AddDate(n, 0, 0)
	default:
		return t.AddDate(0, 0, n)
	}
}

// maxCandidates bounds the names that an error suggests.
const maxCandidates = 20

// New returns the clock of a query: its own time zone and first day of the week, else
// those of the model, else UTC and Monday. An unnamed zone takes the place of the time zone where it is not nil.
func New(cat *catalog.Catalog, timeZone, weekStart string, unnamed *timezone.Zone) (Clock, error) {
	if timeZone == "" {
		timeZone = cat.TimeZone
	}
	var c Clock
	if timeZone != "" {
		zone, ok := timezone.Load(timeZone)
		if !ok {
			return Clock{}, unknownZoneError(timeZone)
		}
		c.zone = zone
	}
	if unnamed != nil {
		c.zone = unnamed
	}
	day, ok := cat.WeekStart, true
	if weekStart != "" {
		day, ok = sqlexpr.ParseWeekday(weekStart)
	}
	if !ok {
		return Clock{}, unknownWeekdayError(weekStart)
	}
	c.daysBeforeMonday = daysBeforeMonday(day)
	return c, nil
}

// daysBeforeMonday returns how many days before Monday weeks begin that begin on a day; those of no day begin on Monday.
func daysBeforeMonday(first sqlexpr.Weekday) int {
	return int(sqlexpr.Sunday+sqlexpr.Monday-max(first, sqlexpr.Monday)) % 7
}

// HasWeekStartOfModel reports whether weeks begin on the day on which those of the model do.
func (c Clock) HasWeekStartOfModel(cat *catalog.Catalog) bool {
	return c.daysBeforeMonday == daysBeforeMonday(cat.WeekStart)
}

// unknownZoneError names the nearest zones. The retry takes the first where the name is nearly its
// own, or that of its city: the days of any other zone would be a guess.
func unknownZoneError(name string) error {
	e := &planerr.Error{
		Code:           planerr.CodeUnknownTimeZone,
		Message:        "time_zone " + planerr.ClipText(name) + " is not the name of a zone in the IANA database",
		Candidates:     timezone.NearestNames(name, maxCandidates),
		SuggestedRetry: "give time_zone the name of a zone, such as Europe/Berlin",
	}
	first := e.Candidates[0]
	_, isNear := suggest.ClosestIfNear(name, e.Candidates[:1])
	if isNear || timezone.IsCityOfZone(first, name) {
		e.Fragment = map[string]any{"time_zone": first}
	}
	return e
}

func unknownWeekdayError(name string) error {
	weekdays := sqlexpr.WeekdayNames()
	return &planerr.Error{
		Code:       planerr.CodeBadRequest,
		Message:    "week_start " + planerr.ClipText(name) + " is not one of " + strings.Join(weekdays, ", "),
		Candidates: suggest.Nearest(name, weekdays, maxCandidates),
		Fragment:   map[string]any{"week_start": nil},
	}
}
