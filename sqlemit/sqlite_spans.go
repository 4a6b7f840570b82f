package sqlemit

func sqliteDatePartTemplate(format string) template {
	return parseTemplate("CAST(STRFTIME('" + format + "', $1) AS INTEGER)")
}

// sqliteSpanBoundaryDiffTemplate counts boundaries of a span from seconds since the year 1,
// which are never negative.
func sqliteSpanBoundaryDiffTemplate(seconds string) template {
	return parseTemplate("(STRFTIME('%s', $2) + 62135596800) / " + seconds + " - (STRFTIME('%s', $1) + 62135596800) / " + seconds)
}

// sqliteAddSpanTemplate adds a span; milliseconds stay where there are any.
func sqliteAddSpanTemplate(unit, count string) template {
	return sqliteMillisecondsTemplate("$1, " + count + " || ' " + unit + "'")
}

// sqliteAddMonthsTemplate adds months: a day that the month lacks is its last day, where
// SQLite itself would count on into the next month.
func sqliteAddMonthsTemplate(count string) template {
	return parseTemplate("MIN(DATE($1, " + count + " || ' months'), DATE($1, 'start of month', (" + count +
		" + 1) || ' months', '-1 day')) || SUBSTR(" + sqliteMillisecondsSQL("$1") + ", 11)")
}

// sqliteMillisecondsTemplate is a time in the one form of timestamps, of which SQLite's own functions keep the milliseconds.
func sqliteMillisecondsTemplate(args string) template {
	return parseTemplate(sqliteMillisecondsSQL(args))
}

func sqliteMillisecondsSQL(args string) string {
	return "RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', " + args + "), '0'), '.')"
}

// sqliteTimestampTemplate is a stored time in the one form of timestamps, 2024-01-05 10:00:00.25, with all digits of its second: DATETIME
// reads every form, and converts an offset. Beside an offset the milliseconds stay.
var sqliteTimestampTemplate = parseTemplate("CASE WHEN @1 GLOB '*[-+]??:??' THEN " + sqliteMillisecondsSQL("$1") +
	" ELSE DATETIME($1) || RTRIM(SUBSTR($1, 20), '.0Zz ') END")
