package timerange

import (
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestBucket_StaysInLiteralCalendar(t *testing.T) {
	if got := BucketEnd(clock.Clock{}, BoundAt(day("9999-12-31")), sqlexpr.GrainMonth); !got.Equal(day("9999-12-31")) {
		t.Errorf("shows up to %s", got.Time)
	}
	first, err := parseBound("start", "0001-01-01")
	if err != nil || !first.IsSet() {
		t.Errorf("the first day of year 1: %v, %v", first, err)
	}
}
