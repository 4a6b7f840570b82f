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
	return parseTemplate("RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1, " + count + " || ' " + unit + "'), '0'), '.')")
}

// sqliteAddMonthsTemplate adds months: a day that the month lacks is its last day, where
// SQLite itself would count on into the next month.
func sqliteAddMonthsTemplate(count string) template {
	return parseTemplate("MIN(DATE($1, " + count + " || ' months'), DATE($1, 'start of month', (" + count +
		" + 1) || ' months', '-1 day')) || SUBSTR(RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1), '0'), '.'), 11)")
}

// sqliteComparableTimestampTemplate spells a timestamp such that equal ones are equal texts: a day has its
// midnight, and a fraction no zeros at its end.
var sqliteComparableTimestampTemplate = parseTemplate("CASE WHEN LENGTH($1) = 10 THEN $1 || ' 00:00:00' WHEN INSTR($1, '.') > 0 THEN RTRIM(RTRIM($1, '0'), '.') ELSE $1 END")
