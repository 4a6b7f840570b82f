package clock

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

func TestClock_CalendarBounds(t *testing.T) {
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
			if got := (Clock{}).FloorTime(day(c.day), c.grain); !got.Equal(day(c.floor)) {
				t.Errorf("floor is %s, want %s", got, c.floor)
			}
			if got := (Clock{}).CeilTime(day(c.day), c.grain); !got.Equal(day(c.ceil)) {
				t.Errorf("ceil is %s, want %s", got, c.ceil)
			}
		})
	}
}
