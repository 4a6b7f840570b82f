package sqlexpr

import "strings"

// Type is the logical type of a value, as far as compiling needs to know it.
type Type uint8

// The logical types. TypeUnknown is honest: a field without a datatype stays
// unknown, and no rule guesses.
const (
	TypeUnknown Type = iota
	TypeBool
	TypeInt
	TypeDecimal
	TypeFloat
	TypeString
	TypeDate
	TypeTime
	TypeTimestamp
	TypeTimestampTZ
	TypeInterval
)

var lowerCaseTypeNames = [...]string{"unknown", "boolean", "integer", "decimal", "double", "varchar", "date", "time", "timestamp", "timestamptz", "interval"}

// String names the type in lower case.
func (t Type) String() string { return lowerCaseTypeNames[t] }

// IsNumeric reports whether t is an integer, decimal or double.
func (t Type) IsNumeric() bool { return t == TypeInt || t == TypeDecimal || t == TypeFloat }

// IsDateOrTimestamp reports whether t holds a calendar date.
func (t Type) IsDateOrTimestamp() bool {
	return t == TypeDate || t == TypeTimestamp || t == TypeTimestampTZ
}

// Grain is a calendar granularity, ordered from fine to coarse.
type Grain uint8

// The grains. GrainNone means "not grouped by a calendar bucket".
const (
	GrainNone Grain = iota
	GrainSecond
	GrainMinute
	GrainHour
	GrainDay
	GrainWeek
	GrainMonth
	GrainQuarter
	GrainYear
)

var grainNames = [...]string{"", "second", "minute", "hour", "day", "week", "month", "quarter", "year"}

// String returns the grain's name in a query: second, minute, hour, day, week, month, quarter, year.
func (g Grain) String() string { return grainNames[g] }

// ParseGrain reads a grain's name; ok is false for any other text.
func ParseGrain(s string) (g Grain, ok bool) {
	for i := GrainSecond; i <= GrainYear; i++ {
		if grainNames[i] == s {
			return i, true
		}
	}
	return GrainNone, false
}

// GrainNames lists the grains from fine to coarse.
func GrainNames() []string { return append([]string(nil), grainNames[1:]...) }

// Seconds returns the length of a grain finer than a day; 0 for the others, whose buckets are
// days of the calendar.
func (g Grain) Seconds() int {
	switch g {
	case GrainSecond:
		return 1
	case GrainMinute:
		return 60
	case GrainHour:
		return 60 * 60
	}
	return 0
}

// Days returns the length of a day or a week in days; 0 for other grains.
func (g Grain) Days() int {
	switch g {
	case GrainDay:
		return 1
	case GrainWeek:
		return 7
	}
	return 0
}

// Months returns the length of a month, a quarter or a year in months; 0 for other grains.
func (g Grain) Months() int {
	switch g {
	case GrainMonth:
		return 1
	case GrainQuarter:
		return 3
	case GrainYear:
		return 12
	}
	return 0
}

// IsWithinDay reports whether the grain is finer than a day.
func (g Grain) IsWithinDay() bool { return g.Seconds() > 0 }

// Subdivides reports whether every bucket of coarse is a union of whole
// buckets of g. Weeks subdivide only themselves: they cross months and years.
// Every grain up to a day subdivides the coarser ones.
func (g Grain) Subdivides(coarse Grain) bool {
	switch {
	case g == coarse:
		return true
	case g == GrainWeek || coarse == GrainWeek:
		return g <= GrainDay
	default:
		return g < coarse
	}
}

// UnaryOp is a prefix operator.
type UnaryOp uint8

// The prefix operators.
const (
	OpNot UnaryOp = iota
	OpNeg
	OpPlus
)

// BinaryOp is an infix operator.
type BinaryOp uint8

// The infix operators.
const (
	OpOr BinaryOp = iota
	OpAnd
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpIsDistinctFrom    // IS DISTINCT FROM
	OpIsNotDistinctFrom // IS NOT DISTINCT FROM
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMod
	OpConcat
)

// DatasetTableOrQuery is where a dataset's rows come from: a table of one to three parts,
// or the text of a query (Query non-empty) used as a derived table.
type DatasetTableOrQuery struct {
	Table []Name
	Query string
}

// Text returns the source as a model may write it.
func (s DatasetTableOrQuery) Text() string {
	if s.Query != "" {
		return s.Query
	}
	parts := make([]string, len(s.Table))
	for i, n := range s.Table {
		parts[i] = n.Text
		if n.Quoted {
			parts[i] = `"` + strings.ReplaceAll(n.Text, `"`, `""`) + `"`
		}
	}
	return strings.Join(parts, ".")
}
