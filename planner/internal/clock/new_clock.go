package clock

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner/planerr"
)

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
