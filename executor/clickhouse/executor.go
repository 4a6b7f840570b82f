package clickhouse

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Executor asks one server.
type Executor struct {
	options Options
	address url.URL
	client  *http.Client
	slots   *driver.Slots
	closed  atomic.Bool
	known   unsupportedSettings
}

var (
	_ executor.Executor     = (*Executor)(nil)
	_ executor.PoolReporter = (*Executor)(nil)
)

// Dialect returns "clickhouse".
func (e *Executor) Dialect() string { return "clickhouse" }

// Query starts the statement. See executor.Executor; waiting for others to end
// counts against ctx.
func (e *Executor) Query(ctx context.Context, text string) (executor.Rows, error) {
	if e.closed.Load() {
		return nil, driver.ClosedError()
	}
	if err := e.slots.Acquire(ctx); err != nil {
		return nil, err
	}
	r := newUnstartedRows(ctx, e)
	if err := r.runWithContext(ctx, func() error { return r.startStatement(text) }); err != nil {
		r.EndAndRelease(ctx, err)
		return nil, err
	}
	return r, nil
}

// Close closes the connections that carry nothing. Rows that are still open keep
// theirs until they are closed.
func (e *Executor) Close() error {
	if !e.closed.Swap(true) {
		e.client.CloseIdleConnections()
	}
	return nil
}

// PoolUse counts statements: each has a connection. Connections that wait for work
// are not counted.
func (e *Executor) PoolUse() executor.PoolUse {
	return executor.PoolUse{InUse: e.slots.TakenCount(), Max: e.slots.Capacity()}
}

func (e *Executor) releaseSlot() {
	e.slots.Release()
	if e.closed.Load() {
		e.client.CloseIdleConnections()
	}
}
