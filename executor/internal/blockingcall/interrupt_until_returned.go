package blockingcall

import (
	"context"
	"time"

	"github.com/semlayer/semlayer/executor"
)

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
