package driver

import (
	"context"
	"strconv"
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

// NextStatementTag returns the tag of the next statement, "semlayer <id>/<number>", or the empty string
// without an id.
func NextStatementTag(ctx context.Context) string {
	id, number, ok := executor.NextQueryTag(ctx)
	if !ok {
		return ""
	}
	return "semlayer " + id + "/" + strconv.FormatInt(number, 10)
}

// NewCommentForNextStatement returns the tag of the next statement as a comment that goes in front of it, or the
// empty string without an id.
func NewCommentForNextStatement(ctx context.Context) string {
	text := NextStatementTag(ctx)
	if text == "" {
		return ""
	}
	return "/* " + text + " */ "
}

const (
	// serverGracePeriod is how much longer than its caller a server may work: the caller's own way of
	// ending a statement comes first, with the better error.
	serverGracePeriod = 5 * time.Second
	// limitGranularity is the unit of limits. Calls with the same budget get the same limit, although the
	// time that they have used differs.
	limitGranularity = 5 * time.Second
)

// ServerTimeLimit returns how long the server may work on a statement whose rows are covered by the
// deadline of ctx, and 0 for no limit: without a deadline, or when the deadline covers only the
// first rows.
func ServerTimeLimit(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok || !executor.HasDeadlineForRows(ctx) {
		return 0
	}
	left := max(time.Until(deadline), 0)
	return left.Truncate(limitGranularity) + limitGranularity + serverGracePeriod
}
