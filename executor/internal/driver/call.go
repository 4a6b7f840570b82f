package driver

import (
	"context"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// RunCall makes one blocking call. When ctx ends, stop runs in another goroutine: it ends the
// statement of the call; returned is closed when the call has returned. Run returns after both,
// never before.
//
// stopped reports that ctx ended during the call. A call that returns together with its context
// counts as stopped, because what stop sent may come too late for it and strike the next call.
// err is then the error of the context.
func RunCall(ctx context.Context, call func() error, stop func(returned <-chan struct{})) (stopped bool, err error) {
	if err := ContextError(ctx); err != nil {
		return false, err
	}
	if ctx.Done() == nil {
		return false, call()
	}
	returned, stopEnded := make(chan struct{}), make(chan struct{})
	cancelStop := context.AfterFunc(ctx, func() {
		defer close(stopEnded)
		stop(returned)
	})
	err = call()
	close(returned)
	if cancelStop() {
		return false, err
	}
	<-stopEnded
	return true, ContextError(ctx)
}

const (
	// interruptInterval is how often a call is interrupted again: a database in this process
	// forgets an interrupt that comes between two steps of a statement.
	interruptInterval = 5 * time.Millisecond
	// interruptGrace is how long a call may continue after the end of its context before it is
	// abandoned. A database looks at an interrupt between two steps; most take milliseconds.
	interruptGrace = 2 * time.Second
)

// InterruptUntilReturned interrupts a call again and again until it has returned. After each
// grace it calls abandon, until that gives the connection up and returns true; then the function of
// executor.WithAbandonFunc is called, once.
func InterruptUntilReturned(ctx context.Context, returned <-chan struct{}, interrupt func(), abandon func() bool) {
	again, late := time.NewTicker(interruptInterval), time.NewTicker(interruptGrace)
	defer again.Stop()
	defer late.Stop()
	for {
		interrupt()
		select {
		case <-returned:
			return
		case <-again.C:
		case <-late.C:
			if abandon() {
				executor.CallAbandonFunc(ctx)
				late.Stop()
			}
		}
	}
}
