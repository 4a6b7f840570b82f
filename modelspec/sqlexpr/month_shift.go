package sqlexpr

import "time"

// AddMonths moves a time by months of the calendar. A day that the other month does not have becomes its last day.
func AddMonths(t time.Time, n int) time.Time {
	day := t.Day()
	first := t.AddDate(0, 0, 1-day).AddDate(0, n, 0)
	return first.AddDate(0, 0, min(day, first.AddDate(0, 1, -1).Day())-1)
}
