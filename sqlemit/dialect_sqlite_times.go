package sqlemit

func sqlitePart(format string) template {
	return primaryTemplate("CAST(STRFTIME('" + format + "', $1) AS INTEGER)")
}

// sqliteElapsed counts boundaries of a span from seconds since the year 1,
// which are never negative.
func sqliteElapsed(seconds string) template {
	return operatorTemplate(precAdd, "(STRFTIME('%s', $2) + 62135596800) / "+seconds+" - (STRFTIME('%s', $1) + 62135596800) / "+seconds)
}

// sqliteAddSpan adds a span; milliseconds stay where there are any.
func sqliteAddSpan(unit, count string) template {
	return primaryTemplate("RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1, " + count + " || ' " + unit + "'), '0'), '.')")
}

// sqliteMonths adds months: a day that the month lacks is its last day, where
// SQLite itself would count on into the next month.
func sqliteMonths(count string) template {
	return primaryTemplate("MIN(DATE($1, " + count + " || ' months'), DATE($1, 'start of month', (" + count +
		" + 1) || ' months', '-1 day')) || SUBSTR(RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1), '0'), '.'), 11)")
}
