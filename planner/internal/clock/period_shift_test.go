package clock

import (
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func parseInstant(s string) time.Time {
	t, err := time.Parse("2006-01-02T15:04:05"[:len(s)], s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestMoveBack_FollowsTheCalendar(t *testing.T) {
	for _, c := range []struct {
		from  string
		n     int
		grain sqlexpr.Grain
		want  string
	}{
		{"2024-03-01", 1, sqlexpr.GrainMonth, "2024-02-01"},
		{"2024-03-31", 1, sqlexpr.GrainMonth, "2024-02-29"},
		{"2024-05-31", 1, sqlexpr.GrainMonth, "2024-04-30"},
		{"2023-03-29", 1, sqlexpr.GrainMonth, "2023-02-28"},
		{"2024-02-29", 1, sqlexpr.GrainYear, "2023-02-28"},
		{"2024-02-29", 4, sqlexpr.GrainYear, "2020-02-29"},
		{"2024-05-31", 1, sqlexpr.GrainQuarter, "2024-02-29"},
		{"2024-01-15", 2, sqlexpr.GrainQuarter, "2023-07-15"},
		{"2024-03-01", 2, sqlexpr.GrainWeek, "2024-02-16"},
		{"2024-03-01", 1, sqlexpr.GrainDay, "2024-02-29"},
		{"2024-03-31T10:30:00", 1, sqlexpr.GrainMonth, "2024-02-29T10:30:00"},
		{"2024-03-01T00:30:00", 1, sqlexpr.GrainHour, "2024-02-29T23:30:00"},
	} {
		if got := (Clock{}).TimePeriodsBefore(parseInstant(c.from), c.grain, c.n); !got.Equal(parseInstant(c.want)) {
			t.Errorf("%s less %d %s: %s, want %s", c.from, c.n, c.grain, got, c.want)
		}
	}
}

func TestCountBuckets_CountsStarts(t *testing.T) {
	for _, c := range []struct {
		from, to string
		grain    sqlexpr.Grain
		want     int
	}{
		{"2024-02-28", "2024-03-01", sqlexpr.GrainDay, 2},
		{"0001-01-01", "9999-12-31", sqlexpr.GrainDay, 3652058},
		{"2024-01-08", "2023-12-25", sqlexpr.GrainWeek, -2},
		{"2023-11-01", "2024-02-01", sqlexpr.GrainMonth, 3},
		{"2024-10-01", "2024-01-01", sqlexpr.GrainQuarter, -3},
		{"2024-01-01", "2031-01-01", sqlexpr.GrainYear, 7},
		{"2024-02-28T22:00:00", "2024-03-01T01:00:00", sqlexpr.GrainHour, 27},
	} {
		if got := (Clock{}).CountBuckets(parseInstant(c.from), parseInstant(c.to), c.grain); got != c.want {
			t.Errorf("from %s to %s by %s: %d, want %d", c.from, c.to, c.grain, got, c.want)
		}
	}
}

func TestLosesDays_ComparesLengthsOfMonths(t *testing.T) {
	for _, c := range []struct {
		start, end string
		n          int
		want       bool
	}{
		{"2024-02-01", "2024-03-01", 12, true},
		{"2023-02-01", "2024-02-01", 12, false},
		{"2024-03-01", "2024-04-01", -1, true},
		{"2024-08-01", "2024-09-01", -1, false},
		{"2024-01-15", "2024-02-15", 1, true},
	} {
		if got := (Clock{}).LosesDaysWhenShifted(parseInstant(c.start), parseInstant(c.end), c.n); got != c.want {
			t.Errorf("[%s, %s) moved by %d months: %v", c.start, c.end, c.n, got)
		}
	}
}
