package driver_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

var errCall = errors.New("the error of the call")

func mustNotStop(t *testing.T) func(<-chan struct{}) {
	return func(<-chan struct{}) { t.Error("the call is stopped") }
}

func TestRun_ReturnsTheErrorOfACallThatNothingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, ctx := range []context.Context{context.Background(), ctx} {
		stopped, err := driver.RunCall(ctx, func() error { return errCall }, mustNotStop(t))
		if stopped || !errors.Is(err, errCall) {
			t.Errorf("stopped %t, error %v", stopped, err)
		}
	}
}

func TestRun_MakesNoCallWithAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stopped, err := driver.RunCall(ctx, func() error { t.Error("the call is made"); return nil }, mustNotStop(t))
	if stopped || !errors.Is(err, context.Canceled) {
		t.Errorf("stopped %t, error %v", stopped, err)
	}
}

func TestRun_StopsACallAndWaitsForBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin, end := time.Now(), make(chan struct{})
		stopReturned := false
		stopped, err := driver.RunCall(ctx, func() error { <-end; return errCall }, func(returned <-chan struct{}) {
			time.Sleep(time.Second)
			close(end)
			<-returned
			time.Sleep(time.Second)
			stopReturned = true
		})
		if !stopped || !stopReturned || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("stopped %t, stop returned %t, error %v", stopped, stopReturned, err)
		}
		if took := time.Since(begin); took != 3*time.Second {
			t.Errorf("Run returns after %v, not after 3 s", took)
		}
	})
}

func TestInterruptUntilReturned_InterruptsEvery5msAndAbandonsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var interrupts, asked, abandoned int
		ctx := executor.WithAbandonFunc(t.Context(), func() { abandoned++ })
		returned := make(chan struct{})
		time.AfterFunc(9*time.Second+time.Millisecond, func() { close(returned) })
		driver.InterruptUntilReturned(ctx, returned, func() { interrupts++ }, func() bool {
			asked++
			return asked == 2 // the first time, too many are abandoned already
		})
		if abandoned != 1 || asked != 2 {
			t.Errorf("abandoned %d times after %d questions", abandoned, asked)
		}
		if interrupts < 9000/5 {
			t.Errorf("%d interrupts in 9 s", interrupts)
		}
	})
}
