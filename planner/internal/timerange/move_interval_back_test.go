package timerange

import (
	"math"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/query"
)

func parsed(t *testing.T, start, end string) Interval {
	t.Helper()
	i, err := ParseBounds("time_range", query.TimeRange{Start: start, End: end})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestMovedBack_MovesBothBounds(t *testing.T) {
	for _, c := range []struct {
		start, end   string
		first, until string
	}{
		{"2024-03-01", "2024-06-01", "2024-02-01", "2024-05-01"},
		{"2024-03-31", "2024-05-31", "2024-02-29", "2024-04-30"},
		{"2023-03-30", "2023-03-31", "2023-02-28", "2023-02-28"},
		{"2024-03-31T10:30:00", "2024-04-01T08:00:00", "2024-02-29T10:30:00", "2024-03-01T08:00:00"},
	} {
		got, ok := parsed(t, c.start, c.end).MoveBack(clock.Clock{}, sqlexpr.GrainMonth, 1)
		if !ok || got.Start.Text() != c.first || got.End.Text() != c.until {
			t.Errorf("from %s: [%s, %s), %v, want [%s, %s)", c.start, got.Start.Text(), got.End.Text(), ok, c.first, c.until)
		}
	}
}

func TestMovedBack_StaysInTheCalendar(t *testing.T) {
	i := parsed(t, "2024-01-01", "2024-02-01")
	if _, ok := i.MoveBack(clock.Clock{}, sqlexpr.GrainYear, 2023); !ok {
		t.Error("the year 1 is refused")
	}
	for g := sqlexpr.GrainSecond; g <= sqlexpr.GrainYear; g++ {
		for _, n := range []int64{MaxUnitsToMove(g), MaxUnitsToMove(g) + 1, 1 << 40, math.MaxInt64} {
			if got, ok := i.MoveBack(clock.Clock{}, g, n); ok {
				t.Errorf("%d %s back: [%s, %s)", n, g, got.Start.Time, got.End.Time)
			}
		}
	}
}
