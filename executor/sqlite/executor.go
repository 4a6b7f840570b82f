package sqlite

import (
	"context"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Executor is one database file with a small pool of connections.
type Executor struct {
	path  string
	slots *driver.Slots

	mu     sync.Mutex
	idle   []*connection
	closed bool
}

var (
	_ executor.Executor     = (*Executor)(nil)
	_ executor.PoolReporter = (*Executor)(nil)
)

// Dialect returns "sqlite".
func (e *Executor) Dialect() string { return "sqlite" }

// TypesFollowValues returns true: the declared type of a column only prefers a type of value.
func (e *Executor) TypesFollowValues() bool { return true }

// Query starts the statement. See executor.Executor; waiting for a free
// connection counts against ctx.
func (e *Executor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if strings.ContainsRune(sql, 0) {
		return nil, driver.SQLRejectedError("a NUL byte in the text of the statement", nil)
	}
	c, err := driver.OpenConnectionWithSlot(ctx, e.slots, e.takeConnection)
	if err != nil {
		return nil, err
	}
	r := &resultRows{owner: e, conn: c}
	r.SetStatement(r)
	if err := c.runWithContext(ctx, func() error { return r.startStatement(ctx, sql) }); err != nil {
		r.EndAndRelease(ctx, err)
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
	for _, c := range e.idle {
		c.close()
	}
	e.idle = nil
	return nil
}

// checkSchemaReadable opens a connection and reads the schema with it.
func (e *Executor) checkSchemaReadable(ctx context.Context) error {
	rows, err := e.Query(ctx, "SELECT 1 FROM sqlite_schema LIMIT 1")
	if err != nil {
		return err
	}
	return rows.Close()
}

func (e *Executor) takeConnection(context.Context) (*connection, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, driver.ClosedError()
	}
	if n := len(e.idle); n > 0 {
		c := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return c, nil
	}
	c, err := openConnection(e.path)
	if err != nil {
		return nil, err
	}
	c.owner = e
	return c, nil
}

// releaseConnection keeps a sound connection for the next query. One whose statement was
// interrupted is closed.
func (e *Executor) releaseConnection(c *connection) {
	e.mu.Lock()
	keep := !c.spent && !e.closed
	if keep {
		e.idle = append(e.idle, c)
	}
	e.mu.Unlock()
	if !keep {
		c.close()
	}
	e.slots.ReleaseSlotOfEndedStatement(&c.SlotHolder)
}

// PoolUse counts the connections to the file.
func (e *Executor) PoolUse() executor.PoolUse {
	e.mu.Lock()
	defer e.mu.Unlock()
	return executor.PoolUse{InUse: e.slots.TakenCount(), Idle: len(e.idle), Max: e.slots.Capacity()}
}
