package measure

import (
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestOffset_WholeBucketsOnly(t *testing.T) {
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
		buckets, month, ok := OffsetInBuckets(c.n, c.of, c.queried)
		if ok != c.ok || ok && (buckets != c.buckets || month != c.month) {
			t.Errorf("%d %s by %s: %d buckets, month %v, ok %v", c.n, c.of, c.queried, buckets, month, ok)
		}
	}
}

func TestLookback_StaysInLiteralCalendar(t *testing.T) {
	decade := ScanLookback{n: 10, grain: sqlexpr.GrainYear}
	if got := decade.ScanStart(clock.Clock{}, timerange.BoundAt(day("0005-01-01"))); !got.IsSet() || !got.Equal(day("0001-01-01")) {
		t.Errorf("reads from %s", got.Time)
	}
	if got := decade.ScanEnd(clock.Clock{}, timerange.BoundAt(day("9999-01-01"))); got.IsSet() {
		t.Errorf("reads to %s, and so leaves out the last day that there is", got.Time)
	}
}

func TestLookback_AroundTimeRange(t *testing.T) {
	start, end := timerange.BoundAt(day("2024-03-10")), timerange.BoundAt(day("2024-05-20"))
	for _, c := range []struct {
		name   string
		extent ScanLookback
		grain  sqlexpr.Grain
		before string
		after  string
	}{
		{"the whole buckets", ScanLookback{}, sqlexpr.GrainMonth, "2024-03-01", "2024-06-01"},
		{"two months", ScanLookback{n: 2, grain: sqlexpr.GrainMonth}, sqlexpr.GrainMonth, "2024-01-01", "2024-08-01"},
		{"a year by quarter", ScanLookback{n: 1, grain: sqlexpr.GrainYear}, sqlexpr.GrainQuarter, "2023-01-01", "2026-01-01"},
		{"to the start of the year", ScanLookback{reset: true, grain: sqlexpr.GrainYear}, sqlexpr.GrainMonth, "2024-01-01", "2025-01-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.extent.ScanStart(clock.Clock{}, timerange.BoundAt((clock.Clock{}).FloorTime(start.Time, c.grain))); !got.Equal(day(c.before)) {
				t.Errorf("reads from %s, want %s", got.Time, c.before)
			}
			if got := c.extent.ScanEnd(clock.Clock{}, timerange.BoundAt((clock.Clock{}).CeilTime(end.Time, c.grain))); !got.Equal(day(c.after)) {
				t.Errorf("reads to %s, want %s", got.Time, c.after)
			}
		})
	}
}
