package remote

import (
	"context"
	"sync"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	defaultMaxStatements = 8
	// cancelAcceptWait is how long a call whose context has ended waits for the
	// warehouse to take note of it, and cancelTimeout when that is abandoned.
	cancelAcceptWait = 400 * time.Millisecond
	cancelTimeout    = 10 * time.Second
)

// StartStatementFunc begins one statement and returns when its columns are known. The context
// covers the call and not the statement. With an error it may return a statement
// as well, which is then cancelled.
type StartStatementFunc func(ctx context.Context, sql string) (Statement, error)

// Options of New. Only Start is required.
type Options struct {
	Dialect string
	// Slots bounds the statements that run at once [8]. Further ones wait.
	Slots int
	Start StartStatementFunc
	// Close frees what the statements shared. It is called once, after the last
	// of them.
	Close func() error
}

// Executor runs statements on one warehouse.
type Executor struct {
	options Options
	slots   *driver.Slots

	mu     sync.Mutex
	closed bool
	cancel sync.WaitGroup // requests that end statements
}

var _ executor.Executor = (*Executor)(nil)

// NewExecutor makes an executor. It connects to nothing.
func NewExecutor(o Options) *Executor {
	if o.Slots == 0 {
		o.Slots = defaultMaxStatements
	}
	return &Executor{options: o, slots: driver.NewSlots(o.Slots)}
}

// Dialect returns the dialect of the options.
func (e *Executor) Dialect() string { return e.options.Dialect }

// Query starts the statement. See executor.Executor; waiting for a slot counts
// against ctx.
func (e *Executor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if e.isClosed() {
		return nil, driver.ClosedError()
	}
	if err := e.slots.Acquire(ctx); err != nil {
		return nil, err
	}
	statement, err := e.options.Start(ctx, sql)
	if late := driver.ContextError(ctx); late != nil {
		err = late
	}
	if err != nil {
		e.cancelAndRelease(ctx, statement, true)
		return nil, err
	}
	r := &statementRows{executor: e, statement: statement}
	r.SetStatement(r)
	return r, nil
}

// cancelAndRelease lets go of a statement and gives its slot back.
func (e *Executor) cancelAndRelease(ctx context.Context, s Statement, running bool) {
	release := func() {
		if s != nil {
			s.ReleaseBufferedRows()
		}
		e.slots.Release()
	}
	if s == nil || !running {
		release()
		return
	}
	ended := make(chan struct{})
	e.cancel.Go(func() {
		defer close(ended)
		// The context that ended is why this is called.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
		defer cancel()
		s.Cancel(ctx)
		release()
	})
	late := time.NewTimer(cancelAcceptWait)
	defer late.Stop()
	select {
	case <-ended:
	case <-late.C:
	}
}

func (e *Executor) isClosed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}

// Close waits for the requests that end statements. Rows that are still open can
// continue until they are closed.
func (e *Executor) Close() error {
	e.mu.Lock()
	again := e.closed
	e.closed = true
	e.mu.Unlock()
	if again {
		return nil
	}
	e.cancel.Wait()
	if e.options.Close == nil {
		return nil
	}
	return e.options.Close()
}

// PoolUse counts the slots; none of them keeps a connection when it is free.
func (e *Executor) PoolUse() executor.PoolUse {
	return executor.PoolUse{InUse: e.slots.TakenCount(), Max: e.slots.Capacity()}
}
