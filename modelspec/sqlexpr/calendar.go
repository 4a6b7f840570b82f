package sqlexpr

import (
	"slices"
	"time"
)

// Weekday is a day on which weeks may begin.
type Weekday uint8

// The weekdays. WeekdayNone means that the day is not declared.
const (
	WeekdayNone Weekday = iota
	Monday
	Tuesday
	Wednesday
	Thursday
	Friday
	Saturday
	Sunday
)

var weekdayNames = []string{"", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// String returns the weekday's name in a query.
func (d Weekday) String() string { return weekdayNames[d] }

// ParseWeekday reads a weekday's name; ok is false for any other text.
func ParseWeekday(text string) (d Weekday, ok bool) {
	i := slices.Index(weekdayNames, text)
	return Weekday(max(i, 0)), i > 0
}

// WeekdayNames lists the weekdays from Monday.
func WeekdayNames() []string { return slices.Clone(weekdayNames[1:]) }

// AddMonths moves a time by months of the calendar. A day that the other month does not have becomes its last day.
func AddMonths(t time.Time, n int) time.Time {
	day := t.Day()
	first := t.AddDate(0, 0, 1-day).AddDate(0, n, 0)
	return first.AddDate(0, 0, min(day, first.AddDate(0, 1, -1).Day())-1)
}
