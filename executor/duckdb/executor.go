package duckdb

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Executor is one database with a small pool of connections.
type Executor struct {
	options Options
	slots   *driver.Slots
	fast    fastStatementCache

	mu sync.Mutex
	// current is the instance that takes statements; nil when the next statement
	// opens one, because the last was abandoned or has ended.
	current *databaseInstance
	data    *dataFileRegistration // of the current instance, nil without data files
	closed  bool
}

var (
	_ executor.Executor       = (*Executor)(nil)
	_ executor.PromptCanceler = (*Executor)(nil)
)

// Dialect returns "duckdb".
func (e *Executor) Dialect() string { return "duckdb" }

// Query starts the statement. See executor.Executor; waiting for a free
// connection counts against ctx.
func (e *Executor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if strings.ContainsRune(sql, 0) {
		return nil, driver.SQLRejectedError("a NUL byte in the text of the statement", nil)
	}
	if grow := executor.BatchMemory(ctx); grow != nil {
		if err := grow(longConstantBytesInFlight(sql)); err != nil {
			return nil, err
		}
	}
	r, err := e.startQuery(ctx, sql)
	if errors.Is(err, errDatabaseEnded) && ctx.Err() == nil { // often not by this statement, and on a new instance it runs
		r, err = e.startQuery(ctx, sql)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Exec runs a statement of the program's own, such as one that makes a table in a database in memory. Statements of users go to Query, which
// rejects all but a SELECT. Its errors are those of Query.
func (e *Executor) Exec(ctx context.Context, sql string) error {
	c, err := driver.OpenConnectionWithSlot(ctx, e.slots, e.takeConnection)
	if err != nil {
		return err
	}
	defer e.releaseConnection(c)
	err = c.runWithContext(ctx, func() error { return c.executeScript(sql) })
	c.spent = c.spent || err != nil
	return err
}

func (e *Executor) startQuery(ctx context.Context, sql string) (*resultRows, error) {
	c, err := driver.OpenConnectionWithSlot(ctx, e.slots, e.takeConnection)
	if err != nil {
		return nil, err
	}
	r := &resultRows{owner: e, conn: c, sql: sql, begun: time.Now()}
	r.SetStatement(r)
	if err := c.runWithContext(ctx, func() error { return r.startStatement(ctx) }); err != nil {
		r.releaseStatement()
		return nil, err
	}
	return r, nil
}

// Close closes the database. Rows that are still open keep their connection
// until they are closed.
func (e *Executor) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.current != nil {
		e.current.retireInstance()
		e.current = nil
	}
	return nil
}

func (e *Executor) takeConnection(ctx context.Context) (*connection, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, driver.ClosedError()
	}
	if e.current == nil {
		in, err := openInstance(ctx, e.options, e.data)
		if err != nil {
			return nil, err
		}
		e.current = in
	}
	c, err := e.current.takeConnection()
	if err != nil {
		return nil, err
	}
	c.owner = e
	return c, nil
}

// releaseConnection keeps a sound connection for the next query. One whose statement was
// cut short is dropped: that ends its transaction and its background tasks now
// and not at the next statement.
func (e *Executor) releaseConnection(c *connection) {
	defer e.slots.ReleaseSlotOfEndedStatement(&c.SlotHolder)
	e.mu.Lock()
	in := c.in
	if c.endedDatabase {
		e.replaceInstance(in)
	}
	keep := !c.spent && !in.retired
	if keep {
		in.idle = append(in.idle, c)
		in.inUse--
	}
	e.mu.Unlock()
	if keep {
		return
	}
	c.disconnect()
	e.mu.Lock()
	defer e.mu.Unlock()
	in.recordClosedConnection()
}

// abandonConnection gives up a connection whose call does not return although it is interrupted:
// the slot is free again, and further statements go to a new instance, with threads of
// its own. It reports whether it did.
func (e *Executor) abandonConnection(c *connection) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.slots.ReleaseSlotWhileStatementRuns(&c.SlotHolder) {
		return false
	}
	e.replaceInstance(c.in)
	return true
}

// replaceInstance lets the next statement open another instance in place of this one, where that does no harm.
func (e *Executor) replaceInstance(in *databaseInstance) {
	if e.current == in && e.options.allowsConcurrentInstances() {
		in.retireInstance()
		e.current = nil
	}
}

// PoolUse counts the connections to the database.
func (e *Executor) PoolUse() executor.PoolUse {
	e.mu.Lock()
	defer e.mu.Unlock()
	idle := 0
	if e.current != nil {
		idle = len(e.current.idle)
	}
	return executor.PoolUse{InUse: e.slots.TakenCount(), Idle: idle, Max: e.slots.Capacity()}
}
