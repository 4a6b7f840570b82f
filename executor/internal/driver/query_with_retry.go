package driver

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// MaxStaleDetectionDelay bounds how long a connection that broke while it idled takes to show it. One
// that breaks later may have carried the statement.
const MaxStaleDetectionDelay = 100 * time.Millisecond

// QueryPastStaleConnections tries to start a statement until a connection accepts or rejects it. stale reports that
// a connection had been idle and broke at once: the statement did not run, and another
// connection may work. Each try discards one connection, so a pool runs out of stale ones.
func QueryPastStaleConnections[R executor.Rows](ctx context.Context, closed *atomic.Bool, try func() (r R, stale bool, err error)) (executor.Rows, error) {
	if closed.Load() {
		return nil, ClosedError()
	}
	if err := ContextError(ctx); err != nil {
		return nil, err
	}
	for {
		r, stale, err := try()
		switch {
		case err == nil:
			return r, nil
		case !stale || ctx.Err() != nil:
			return nil, err // not a nil R
		}
	}
}

// TakeConnection takes a connection from a pool. The error is that of ctx when it has ended, and
// else the one that classify makes of it.
func TakeConnection[C any](ctx context.Context, acquire func(context.Context) (C, error), classify func(error) error) (C, error) {
	c, err := acquire(ctx)
	if err == nil {
		return c, nil
	}
	if late := ContextError(ctx); late != nil {
		return c, late
	}
	return c, classify(err)
}
