package driver_test

import (
	"context"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

func TestLimit_IsTheSameForCallsOfTheSameBudget(t *testing.T) {
	for _, c := range []struct{ left, want time.Duration }{
		{59*time.Second + 900*time.Millisecond, 65 * time.Second},
		{57 * time.Second, 65 * time.Second},
		{100 * time.Millisecond, 10 * time.Second},
		{-time.Second, 10 * time.Second},
	} {
		ctx, cancel := context.WithTimeout(executor.WithDeadlineForRows(t.Context()), c.left)
		t.Cleanup(cancel)
		if got := driver.ServerTimeLimit(ctx); got != c.want {
			t.Errorf("with %s left the limit is %s, want %s", c.left, got, c.want)
		}
	}
}

func TestLimit_IsNoneForRowsThatMayTakeLonger(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if got := driver.ServerTimeLimit(ctx); got != 0 {
		t.Errorf("a deadline of the first rows alone gives %s", got)
	}
	if got := driver.ServerTimeLimit(executor.WithDeadlineForRows(t.Context())); got != 0 {
		t.Errorf("no deadline gives %s", got)
	}
}
