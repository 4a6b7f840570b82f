package sqlexpr

// datePartsBySpelling maps the spellings of a calendar part to its one name. The first
// eight are units that one can add, count and truncate to; the others can only
// be extracted.
var datePartsBySpelling = map[string]string{
	"second": "second", "seconds": "second", "sec": "second", "secs": "second",
	"minute": "minute", "minutes": "minute", "min": "minute", "mins": "minute",
	"hour": "hour", "hours": "hour", "hr": "hour", "hrs": "hour",
	"day": "day", "days": "day",
	"week": "week", "weeks": "week",
	"month": "month", "months": "month", "mon": "month", "mons": "month",
	"quarter": "quarter", "quarters": "quarter", "qtr": "quarter", "qtrs": "quarter",
	"year": "year", "years": "year", "yr": "year", "yrs": "year",

	"dayofyear": "dayofyear", "doy": "dayofyear",
	"dayofweek": "dayofweek", "dow": "dayofweek", "isodow": "isodow",
}

// unitsWithinDay are the units to which a date can be truncated, or by which it can be shifted, that make a timestamp of it.
var unitsWithinDay = map[string]bool{
	"second": true, "minute": true, "hour": true,
	"millisecond": true, "milliseconds": true, "msec": true, "msecs": true, "ms": true,
	"microsecond": true, "microseconds": true, "usec": true, "usecs": true, "us": true,
}

// datePartOfSpelling gives a calendar part its one name: second minute hour day week
// month quarter year, dayofyear, dayofweek (0 is Sunday), isodow (7 is Sunday). known is false for
// any other text, which is returned in lower case.
func datePartOfSpelling(s string) (name string, known bool) {
	var buf [maxKeywordOrFunctionNameLength]byte
	b, ok := lowerASCII(&buf, s)
	if !ok {
		return s, false
	}
	if name, known = datePartsBySpelling[string(b)]; known {
		return name, true
	}
	return string(b), false
}

// intervalUnitOfSpelling is parseDatePart for the parts that have a length.
func intervalUnitOfSpelling(s string) (string, bool) {
	name, known := datePartOfSpelling(s)
	return name, known && name != "dayofyear" && name != "dayofweek" && name != "isodow"
}

func isIntervalUnit(s string) bool {
	_, ok := intervalUnitOfSpelling(s)
	return ok
}
