package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// calendarPart is a calendar part of the expression language.
type calendarPart uint8

const (
	partNone calendarPart = iota
	partSecond
	partMinute
	partHour
	partDay
	partWeek
	partMonth
	partQuarter
	partYear
	partDayOfYear
	partDayOfWeek
	partISODayOfWeek
	calendarPartCount
)

var calendarPartNames = [calendarPartCount]string{"", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "dayofyear", "dayofweek", "isodow"}

func calendarPartByName(name string) calendarPart {
	for p := partSecond; p < calendarPartCount; p++ {
		if calendarPartNames[p] == name {
			return p
		}
	}
	return partNone
}

// templatesByType is a template for each type of operand; an absent one leaves the operand
// as it is.
type templatesByType [sqlexpr.TypeInterval + 1]template

// toDayTemplates converts a string, a timestamp and an operand of unknown type to a day by one
// template, and a timestamp with a zone by another.
func toDayTemplates(day, zoned template) templatesByType {
	return templatesByType{
		sqlexpr.TypeUnknown: day, sqlexpr.TypeString: day, sqlexpr.TypeTimestamp: day, sqlexpr.TypeTimestampTZ: zoned,
	}
}

// toTimestampTemplates converts a string, a day and an operand of unknown type to a timestamp by
// one template, and a timestamp with a zone by another.
func toTimestampTemplates(timestamp, zoned template) templatesByType {
	return templatesByType{
		sqlexpr.TypeUnknown: timestamp, sqlexpr.TypeString: timestamp, sqlexpr.TypeDate: timestamp, sqlexpr.TypeTimestampTZ: zoned,
	}
}

// calendarPartTemplates and grainTemplates hold a template for each part and grain.
type (
	calendarPartTemplates [calendarPartCount]template
	grainTemplates        [sqlexpr.GrainYear + 1]template
)

// templatesForUnits makes a template for each part that has a length, from a template in
// which {unit} and {UNIT} are its name.
func templatesForUnits(spec string) calendarPartTemplates {
	var out calendarPartTemplates
	for u := partSecond; u <= partYear; u++ {
		out[u] = parseTemplate(fillUnitPlaceholders(spec, calendarPartNames[u]))
	}
	return out
}

// templatesForUnitsWithinDay does the same for the parts that are finer than a day.
func templatesForUnitsWithinDay(spec string) calendarPartTemplates {
	var out calendarPartTemplates
	for u := partSecond; u < partDay; u++ {
		out[u] = parseTemplate(fillUnitPlaceholders(spec, calendarPartNames[u]))
	}
	return out
}

// templatesForGrains does the same for the grains from a week on.
func templatesForGrains(spec string) grainTemplates {
	var out grainTemplates
	for g := sqlexpr.GrainWeek; g <= sqlexpr.GrainYear; g++ {
		out[g] = parseTemplate(fillUnitPlaceholders(spec, g.String()))
	}
	return out
}

func fillUnitPlaceholders(spec, unit string) string {
	return strings.NewReplacer("{unit}", unit, "{UNIT}", strings.ToUpper(unit)).Replace(spec)
}

// withPartTemplate returns the templates with one of them changed.
func (f calendarPartTemplates) withPartTemplate(p calendarPart, x template) calendarPartTemplates {
	f[p] = x
	return f
}

func (f grainTemplates) withGrainTemplate(g sqlexpr.Grain, x template) grainTemplates {
	f[g] = x
	return f
}

// timeTemplates is a dialect's calendar. An instant is the wall clock in UTC of the
// operand, which may have any type.
type timeTemplates struct {
	// instant makes a timestamp without zone, or another operand that trunc, bucket
	// and diff accept.
	instant templatesByType
	// day makes a DATE of a value of the type; of a DATE it is absent.
	day templatesByType
	// bucket makes the first day of the instant's week, month, …, as a DATE.
	bucket grainTemplates
	// zonedTrunc makes the hour, minute or second of a timestamp with a zone, with its zone;
	// absent where trunc does.
	zonedTrunc calendarPartTemplates
	// zone is the conversion of instants to the clock of a zone; absent where the offsets of the
	// zone are spelled out.
	zone string
	// ordinal counts the buckets of a DATE.
	ordinal grainTemplates
	// trunc is DATE_TRUNC: a timestamp.
	trunc calendarPartTemplates
	// otherTrunc is DATE_TRUNC to what is not a part of the table.
	otherTrunc map[string]template
	// truncMakesInstants: trunc and otherTrunc make an instant of their operand by themselves.
	truncMakesInstants bool
	// part is EXTRACT: an integer. Monday starts week 1 of ISO 8601, Sunday is
	// day 0, and day 7 of ISO 8601.
	part calendarPartTemplates
	// otherPart is EXTRACT of what is not a part of the table; nil hands any of them
	// on, by the model's own word.
	otherPart map[string]template
	// diff counts the boundaries from instant $1 to instant $2.
	diff calendarPartTemplates
	// elapsed is the time from $1 to $2, two timestamps, in seconds with their fraction, as a DOUBLE.
	elapsed template
	// timestamp prepares the operand of shift, and shift adds $2 parts to it.
	timestamp templatesByType
	shift     calendarPartTemplates
	// shiftKeepsDate: a date plus days is a date by itself.
	shiftKeepsDate bool
	// timestampsKeepZones: a timestamp with a zone keeps its own clock, independent of the session's zone.
	timestampsKeepZones bool
	// datesAddAsNumbers: + and - read dates and times as numbers, such as 20240131.
	datesAddAsNumbers bool
	// interval prints an interval literal; nil: the dialect has none that can be
	// used alone.
	interval func(w *writer, count string, p calendarPart)
	// matches: the text $1 matches the regular expression $2, which is
	// anchored.
	matches template
	// format writes a time as a string.
	format timeFormatStyle
	// decode turns a stored time code into a DATE.
	decode func(w *writer, d *sqlexpr.DecodeTimeCodeExpr, min precedence)
}

// canonicalUnitsBySynonym are the spellings of units that some dialects truncate to.
var canonicalUnitsBySynonym = map[string]string{
	"milliseconds": "millisecond", "msec": "millisecond", "msecs": "millisecond", "ms": "millisecond",
	"microseconds": "microsecond", "usec": "microsecond", "usecs": "microsecond", "us": "microsecond",
	"decades": "decade", "centuries": "century", "millennia": "millennium", "millenniums": "millennium",
}

// canonicalUnitName gives such a unit its one name.
func canonicalUnitName(name string) string {
	if one, ok := canonicalUnitsBySynonym[name]; ok {
		return one
	}
	return name
}

// templatesForNamedUnits makes a template for each of some units, as templatesForUnits does for the parts.
func templatesForNamedUnits(spec string, units ...string) map[string]template {
	out := make(map[string]template, len(units))
	for _, u := range units {
		out[u] = parseTemplate(fillUnitPlaceholders(spec, u))
	}
	return out
}
