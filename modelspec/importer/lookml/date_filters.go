package lookml

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// timePoint is the begin of a period in a filter of times: a time of the calendar, or a number of units before or after the begin of
// the unit that today is in.
type timePoint struct {
	relative bool
	at       time.Time     // of one that is not relative
	count    int           // of one that is
	unit     sqlexpr.Grain // of count, and of the period that begins here
}

// dateFilter reads the filters of a field of times, in the language of Looker's filter expressions.
type dateFilter struct {
	field string
	// isDate is set where the field has days, which no part of a day can be compared with.
	isDate bool
	// weeksMoved is set where weeks do not begin on Monday, as they do here.
	weeksMoved bool
	// isRelative is set by a term that counts from today.
	isRelative bool
}

const relativeFilterLoss = "its filter counts from the current day of the session's zone, and in Looker from that of the query's zone"

// newDateFilter returns the reader of the filters of a dimension.
func newDateFilter(d *dimension, field string) *dateFilter {
	f := &dateFilter{field: field, weeksMoved: d.weeksMoved}
	f.isDate = d.field != nil && d.field.Datatype == modelspec.DatatypeDate
	return f
}

// conditionSQL returns the predicate of a filter: one of its terms holds.
func (f *dateFilter) conditionSQL(value string) (text string, ok bool) {
	var out []string
	for _, term := range strings.Split(value, ",") {
		text, ok := f.termSQL(strings.Join(strings.Fields(strings.ToLower(term)), " "))
		if !ok {
			return "", false
		}
		out = append(out, text)
	}
	if len(out) == 1 {
		return out[0], true
	}
	return "(" + strings.Join(out, " OR ") + ")", true
}

var durationPattern = regexp.MustCompile(`^(\d{1,4}) (\w+)$`)

// termSQL returns the predicate of one term.
func (f *dateFilter) termSQL(term string) (text string, ok bool) {
	if text, ok := nullConditionSQL(f.field, term); ok {
		return text, true
	}
	for word, operator := range map[string]string{"before ": " < ", "after ": " >= "} {
		if rest, found := strings.CutPrefix(term, word); found {
			p, ok := f.readPoint(rest)
			return f.field + operator + f.pointSQL(p), ok
		}
	}
	if from, to, found := strings.Cut(term, " to "); found {
		start, ok := f.readPoint(from)
		end, okEnd := f.readPoint(to)
		if unit, isUnit := sqlexpr.ParseGrain(to); isUnit { // the begin of the current one
			end, okEnd = timePoint{relative: true, unit: unit}, f.hasUnit(unit)
		}
		return f.rangeSQL(start, end), ok && okEnd
	}
	if from, length, found := strings.Cut(term, " for "); found {
		start, ok := f.readPoint(from)
		m := durationPattern.FindStringSubmatch(length)
		if !ok || m == nil {
			return "", false
		}
		unit, known := f.readUnit(m[2])
		end, ok := start.plus(atoi(m[1]), unit)
		return f.rangeSQL(start, end), known && ok
	}
	if m := durationPattern.FindStringSubmatch(strings.TrimPrefix(term, "last ")); m != nil { // the current unit and those before it
		unit, ok := f.readUnit(m[2])
		start := timePoint{relative: true, count: 1 - atoi(m[1]), unit: unit}
		return f.rangeSQL(start, timePoint{relative: true, count: 1, unit: unit}), ok && start.count <= 0
	}
	start, ok := f.readPoint(term)
	if !ok {
		return "", false
	}
	end, ok := start.plus(1, start.unit)
	return f.rangeSQL(start, end), ok
}

func (f *dateFilter) rangeSQL(start, end timePoint) string {
	return "(" + f.field + " >= " + f.pointSQL(start) + " AND " + f.field + " < " + f.pointSQL(end) + ")"
}

// absoluteTimePatterns are the spellings of times, which may have slashes in place of dashes, with the period of each.
var absoluteTimePatterns = []struct {
	layout string
	unit   sqlexpr.Grain
}{
	{"2006", sqlexpr.GrainYear}, {"2006-01", sqlexpr.GrainMonth}, {"2006-01-02", sqlexpr.GrainDay},
	{"2006-01-02 15", sqlexpr.GrainHour}, {"2006-01-02 15:04", sqlexpr.GrainMinute}, {"2006-01-02 15:04:05", sqlexpr.GrainSecond},
}

var (
	quarterPattern      = regexp.MustCompile(`^(\d{4})-q([1-4])$`)
	relativePattern     = regexp.MustCompile(`^(\d{1,4}) (\w+) (ago|from now)$`)
	neighbouringPattern = regexp.MustCompile(`^(this|last|next) (week|month|quarter|year)$`)
)

var (
	namedDays            = map[string]int{"yesterday": -1, "today": 0, "tomorrow": 1}
	countsOfNeighbouring = map[string]int{"last": -1, "this": 0, "next": 1}
)

// readPoint reads a time, or a period, of which it is the begin.
func (f *dateFilter) readPoint(text string) (p timePoint, ok bool) {
	dashed := strings.ReplaceAll(text, "/", "-")
	for _, known := range absoluteTimePatterns {
		if at, err := time.Parse(known.layout, dashed); err == nil && len(dashed) == len(known.layout) {
			return timePoint{at: at, unit: known.unit}, !f.isDate || known.unit >= sqlexpr.GrainDay
		}
	}
	if m := quarterPattern.FindStringSubmatch(dashed); m != nil {
		at := time.Date(atoi(m[1]), time.Month(3*atoi(m[2])-2), 1, 0, 0, 0, 0, time.UTC)
		return timePoint{at: at, unit: sqlexpr.GrainQuarter}, true
	}
	if count, known := namedDays[text]; known {
		return timePoint{relative: true, count: count, unit: sqlexpr.GrainDay}, true
	}
	if m := neighbouringPattern.FindStringSubmatch(text); m != nil {
		unit, ok := f.readUnit(m[2])
		return timePoint{relative: true, count: countsOfNeighbouring[m[1]], unit: unit}, ok
	}
	m := relativePattern.FindStringSubmatch(text)
	if m == nil {
		return timePoint{}, false
	}
	unit, ok := f.readUnit(m[2])
	p = timePoint{relative: true, count: atoi(m[1]), unit: unit}
	if m[3] == "ago" {
		p.count = -p.count
	}
	return p, ok
}

// readUnit reads the unit of a count: day and coarser, in which CURRENT_DATE counts.
func (f *dateFilter) readUnit(word string) (unit sqlexpr.Grain, ok bool) {
	unit, ok = sqlexpr.ParseGrain(strings.TrimSuffix(word, "s"))
	return unit, ok && f.hasUnit(unit)
}

func (f *dateFilter) hasUnit(unit sqlexpr.Grain) bool {
	return !unit.IsWithinDay() && (unit != sqlexpr.GrainWeek || !f.weeksMoved)
}

// plus returns the point a number of units later. One that counts months cannot move by days: the sum is not defined.
func (p timePoint) plus(count int, unit sqlexpr.Grain) (later timePoint, ok bool) {
	if p.relative {
		p.count += count
		return p, p.unit == unit
	}
	switch unit {
	case sqlexpr.GrainYear:
		p.at = p.at.AddDate(count, 0, 0)
	case sqlexpr.GrainQuarter:
		p.at = p.at.AddDate(0, 3*count, 0)
	case sqlexpr.GrainMonth:
		p.at = p.at.AddDate(0, count, 0)
	case sqlexpr.GrainWeek:
		p.at = p.at.AddDate(0, 0, 7*count)
	case sqlexpr.GrainDay:
		p.at = p.at.AddDate(0, 0, count)
	default:
		length := map[sqlexpr.Grain]time.Duration{sqlexpr.GrainHour: time.Hour, sqlexpr.GrainMinute: time.Minute, sqlexpr.GrainSecond: time.Second}
		p.at = p.at.Add(time.Duration(count) * length[unit])
	}
	return p, p.at.Year() < 10000
}

// pointSQL returns the SQL of a point.
func (f *dateFilter) pointSQL(p timePoint) string {
	if !p.relative {
		if day := p.at.Format(time.DateOnly); p.at.Equal(p.at.Truncate(24 * time.Hour)) {
			return "DATE '" + day + "'"
		}
		return "TIMESTAMP '" + p.at.Format(time.DateTime) + "'"
	}
	f.isRelative = true
	today := "CURRENT_DATE"
	if p.unit != sqlexpr.GrainDay {
		today = "CAST(DATE_TRUNC('" + p.unit.String() + "', CURRENT_DATE) AS DATE)"
	}
	if p.count == 0 {
		return today
	}
	return fmt.Sprintf("DATEADD(%s, %d, %s)", strings.ToUpper(p.unit.String()), p.count, today)
}

// atoi returns the integer of digits that a pattern has found, which are few.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
