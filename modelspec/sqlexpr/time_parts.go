package sqlexpr

import "slices"

// TimePart is a number that a clock or a calendar shows at a time: the hour of the day, the month of the year.
type TimePart uint8

// The parts of a time. PartNone means "not grouped by a part".
const (
	PartNone TimePart = iota
	PartHourOfDay
	PartDayOfWeek
	PartDayOfMonth
	PartDayOfYear
	PartWeekOfYear
	PartMonthOfYear
	PartQuarterOfYear
)

// timeParts holds for each part its name in a query, the coarsest grain whose buckets each have one number, and the
// name in EXTRACT.
var timeParts = [...]struct {
	name    string
	unit    Grain
	extract string
}{
	PartHourOfDay:     {"hour_of_day", GrainHour, "hour"},
	PartDayOfWeek:     {"day_of_week", GrainDay, "isodow"},
	PartDayOfMonth:    {"day_of_month", GrainDay, "day"},
	PartDayOfYear:     {"day_of_year", GrainDay, "dayofyear"},
	PartWeekOfYear:    {"week_of_year", GrainWeek, "week"},
	PartMonthOfYear:   {"month_of_year", GrainMonth, "month"},
	PartQuarterOfYear: {"quarter_of_year", GrainQuarter, "quarter"},
}

// String returns the part's name in a query.
func (p TimePart) String() string { return timeParts[p].name }

// ParseTimePart reads a part's name; ok is false for any other text.
func ParseTimePart(s string) (p TimePart, ok bool) {
	for i := PartHourOfDay; i <= PartQuarterOfYear; i++ {
		if timeParts[i].name == s {
			return i, true
		}
	}
	return PartNone, false
}

// IsTimePart reports whether a text is the name of a part.
func IsTimePart(s string) bool {
	_, ok := ParseTimePart(s)
	return ok
}

// TimePartNames lists the parts from fine to coarse.
func TimePartNames() []string {
	var out []string
	for _, p := range timeParts[PartHourOfDay:] {
		out = append(out, p.name)
	}
	return out
}

// FilterTimePartNames lists the parts of which a time that does not accept the finer ones accepts all coarser ones.
func FilterTimePartNames(accepts func(name string) bool) []string {
	names := TimePartNames()
	if !accepts(names[len(names)-1]) {
		return nil
	}
	return names[slices.IndexFunc(names, accepts):]
}

// Unit returns the coarsest grain whose buckets each have one number: the weeks of ISO 8601 for the week of the year.
func (p TimePart) Unit() Grain { return timeParts[p].unit }

// ExtractName returns the part of EXTRACT with the numbers. The day of the week is 1 on Monday.
func (p TimePart) ExtractName() string { return timeParts[p].extract }

// PartFromSunday is the part of EXTRACT(DOW FROM x), which is 0 on Sunday.
const PartFromSunday = "dayofweek"

// DayFromSunday returns the day of the week from Sunday, 0 to 6, of the one from Monday, 1 to 7.
func DayFromSunday(at Position, fromMonday Expr) Expr {
	const days = "7"
	return &Call{Position: at, Fn: FnMod, Name: Name{Text: InfoOfFunction(FnMod).Name}, Args: []Expr{fromMonday, &Number{Text: days}}}
}
