package engine

import (
	"context"

	"github.com/semlayer/semlayer/executor"
)

// lazyExecutor opens an executor at its first use, and again after a failure, which may be
// temporary.
type lazyExecutor struct {
	openFunc func(context.Context) (executor.Executor, error)
	lock     chan struct{} // capacity 1: a lock whose wait ends with the caller's context
	opened   executor.Executor
	closed   bool
	// borrowed executors are closed by their owner.
	borrowed bool
}

func newLazyExecutor(begin func(context.Context) (executor.Executor, error)) *lazyExecutor {
	return &lazyExecutor{openFunc: begin, lock: make(chan struct{}, 1)}
}

func (l *lazyExecutor) open(ctx context.Context) (executor.Executor, error) {
	select {
	case l.lock <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.lock }()
	if l.closed {
		return nil, &ExecuteError{Code: executor.CodeDriver, Message: "the connection is closed"}
	}
	if l.opened == nil {
		made, err := l.openFunc(ctx)
		if err != nil {
			return nil, err
		}
		l.opened = made
	}
	return l.opened, nil
}

// executorIfOpen returns the executor if it is open, nil if it is not or is being opened now.
func (l *lazyExecutor) executorIfOpen() executor.Executor {
	select {
	case l.lock <- struct{}{}:
	default:
		return nil
	}
	defer func() { <-l.lock }()
	return l.opened
}

// close closes the executor, unless it is borrowed, and prevents another open.
func (l *lazyExecutor) close() error {
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	l.closed = true
	made := l.opened
	l.opened = nil
	if made == nil || l.borrowed {
		return nil
	}
	return made.Close()
}
