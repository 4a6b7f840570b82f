package duckdb

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/fault"
)

// Executor is one open database with a small pool of connections.
type Executor struct {
	slots     chan struct{}
	temporary spill
	quick     statements

	mu     sync.Mutex
	db     bindings.Database
	idle   []*connection
	inUse  int
	closed bool
}

var (
	_ executor.Executor = (*Executor)(nil)
	_ executor.Prompt   = (*Executor)(nil)
)

// Dialect returns "duckdb".
func (e *Executor) Dialect() string { return "duckdb" }

// Query starts the statement. See executor.Executor; waiting for a free
// connection counts against ctx.
func (e *Executor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if strings.ContainsRune(sql, 0) {
		return nil, fault.Rejected("a NUL byte in the text of the statement", nil)
	}
	c, err := e.acquire(ctx)
	if err != nil {
		return nil, err
	}
	r := &rows{owner: e, conn: c, sql: sql, begun: time.Now()}
	if err := c.run(ctx, func() error { return r.start(ctx) }); err != nil {
		r.end()
		return nil, err
	}
	return r, nil
}

// Close closes the database. Rows that are still open keep their connection
// until they are closed.
func (e *Executor) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	for _, c := range e.idle {
		c.disconnect()
	}
	e.idle = nil
	bindings.Close(&e.db)
	if e.inUse == 0 {
		e.temporary.remove()
	}
	return nil
}

func (e *Executor) prepare(ctx context.Context, statements []string) error {
	c, err := e.acquire(ctx)
	if err != nil {
		return err
	}
	defer e.release(c)
	for i, sql := range statements {
		if err := c.run(ctx, func() error { return c.execute(sql) }); err != nil {
			if late := fault.Context(ctx); late != nil {
				return late
			}
			return fault.Config("setup statement "+strconv.Itoa(i+1)+" failed", err)
		}
	}
	return nil
}

func (e *Executor) acquire(ctx context.Context) (*connection, error) {
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fault.Context(ctx)
	}
	c, err := e.take()
	if err != nil {
		<-e.slots
	}
	return c, err
}

func (e *Executor) take() (*connection, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, fault.Closed()
	}
	if n := len(e.idle); n > 0 {
		c := e.idle[n-1]
		e.idle = e.idle[:n-1]
		e.inUse++
		return c, nil
	}
	c := &connection{}
	if bindings.Connect(e.db, &c.handle) != bindings.StateSuccess {
		return nil, fault.Driver("DuckDB does not give a connection", nil)
	}
	e.inUse++
	return c, nil
}

// release keeps a sound connection for the next query. One whose statement was
// cut short is dropped: that ends its transaction and its background tasks now
// and not at the next statement.
func (e *Executor) release(c *connection) {
	defer func() { <-e.slots }()
	e.mu.Lock()
	keep := !c.spent && !e.closed
	if keep {
		e.idle = append(e.idle, c)
		e.inUse--
	}
	e.mu.Unlock()
	if keep {
		return
	}
	c.disconnect()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inUse--
	if e.closed && e.inUse == 0 {
		e.temporary.remove()
	}
}
