package planner

import (
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestBucketsOfTheCalendar(t *testing.T) {
	for _, c := range []struct {
		day         string
		grain       sqlexpr.Grain
		floor, ceil string
	}{
		{"2024-12-30", sqlexpr.GrainWeek, "2024-12-30", "2024-12-30"}, // a Monday
		{"2021-01-03", sqlexpr.GrainWeek, "2020-12-28", "2021-01-04"}, // a Sunday
		{"2024-02-29", sqlexpr.GrainMonth, "2024-02-01", "2024-03-01"},
		{"2024-05-15", sqlexpr.GrainQuarter, "2024-04-01", "2024-07-01"},
		{"2024-12-31", sqlexpr.GrainQuarter, "2024-10-01", "2025-01-01"},
		{"2024-01-01", sqlexpr.GrainYear, "2024-01-01", "2024-01-01"},
		{"2024-01-02", sqlexpr.GrainYear, "2024-01-01", "2025-01-01"},
	} {
		t.Run(c.day+" by "+c.grain.String(), func(t *testing.T) {
			if got := floorTime(day(c.day), c.grain); !got.Equal(day(c.floor)) {
				t.Errorf("floor is %s, want %s", got, c.floor)
			}
			if got := ceilTime(day(c.day), c.grain); !got.Equal(day(c.ceil)) {
				t.Errorf("ceil is %s, want %s", got, c.ceil)
			}
		})
	}
}

func TestOffsetsAreWholeNumbersOfBuckets(t *testing.T) {
	for _, c := range []struct {
		n           int
		of, queried sqlexpr.Grain
		buckets     int
		month, ok   bool
	}{
		{1, sqlexpr.GrainMonth, sqlexpr.GrainMonth, 1, false, true},
		{1, sqlexpr.GrainYear, sqlexpr.GrainMonth, 12, false, true},
		{1, sqlexpr.GrainYear, sqlexpr.GrainQuarter, 4, false, true},
		{3, sqlexpr.GrainMonth, sqlexpr.GrainQuarter, 1, false, true},
		{1, sqlexpr.GrainMonth, sqlexpr.GrainQuarter, 0, false, false},
		{1, sqlexpr.GrainMonth, sqlexpr.GrainWeek, 0, false, false},
		{1, sqlexpr.GrainMonth, sqlexpr.GrainDay, 1, true, true},
		{1, sqlexpr.GrainYear, sqlexpr.GrainDay, 12, true, true},
		{2, sqlexpr.GrainWeek, sqlexpr.GrainDay, 14, false, true},
		{14, sqlexpr.GrainDay, sqlexpr.GrainWeek, 2, false, true},
		{10, sqlexpr.GrainDay, sqlexpr.GrainWeek, 0, false, false},
		{1, sqlexpr.GrainWeek, sqlexpr.GrainMonth, 0, false, false},
	} {
		buckets, month, ok := stride(c.n, c.of, c.queried)
		if ok != c.ok || ok && (buckets != c.buckets || month != c.month) {
			t.Errorf("%d %s by %s: %d buckets, month %v, ok %v", c.n, c.of, c.queried, buckets, month, ok)
		}
	}
}

func TestWindowsReadNoFurtherThanTheCalendarOfLiterals(t *testing.T) {
	decade := extent{n: 10, grain: sqlexpr.GrainYear}
	if got := decade.before(instantAt(day("0005-01-01")), instantAt(day("0005-02-01"))); !got.given() || !got.Equal(day("0001-01-01")) {
		t.Errorf("reads from %s", got.Time)
	}
	if got := decade.after(instantAt(day("9999-01-01")), instantAt(day("9998-12-05"))); got.given() {
		t.Errorf("reads to %s, and so leaves out the last day that there is", got.Time)
	}
	if got := ceilInstant(instantAt(day("9999-12-31")), sqlexpr.GrainMonth); !got.Equal(day("9999-12-31")) {
		t.Errorf("shows up to %s", got.Time)
	}
	first, err := parseInstant("start", "0001-01-01")
	if err != nil || !first.given() {
		t.Errorf("the first day of year 1: %v, %v", first, err)
	}
}

func TestWindowsReadAroundTheRange(t *testing.T) {
	start, end := instantAt(day("2024-03-10")), instantAt(day("2024-05-20"))
	for _, c := range []struct {
		name   string
		extent extent
		grain  sqlexpr.Grain
		before string
		after  string
	}{
		{"nothing beyond", extent{}, sqlexpr.GrainMonth, "2024-03-10", "2024-05-20"},
		{"two months", extent{n: 2, grain: sqlexpr.GrainMonth}, sqlexpr.GrainMonth, "2024-01-01", "2024-08-01"},
		{"a year by quarter", extent{n: 1, grain: sqlexpr.GrainYear}, sqlexpr.GrainQuarter, "2023-01-01", "2026-01-01"},
		{"to the start of the year", extent{reset: true, grain: sqlexpr.GrainYear}, sqlexpr.GrainMonth, "2024-01-01", "2025-01-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.extent.before(instantAt(floorTime(start.Time, c.grain)), start); !got.Equal(day(c.before)) {
				t.Errorf("reads from %s, want %s", got.Time, c.before)
			}
			if got := c.extent.after(instantAt(ceilTime(end.Time, c.grain)), end); !got.Equal(day(c.after)) {
				t.Errorf("reads to %s, want %s", got.Time, c.after)
			}
		})
	}
}
