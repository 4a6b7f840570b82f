package duckdb

import (
	"context"
	"errors"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

type connection struct {
	driver.SlotHolder
	in     *databaseInstance
	owner  *Executor // nil while the database opens
	handle bindings.Connection
	// spent reports that the connection may still carry a statement or a pending interrupt and
	// must not serve another query.
	spent bool
	// endedDatabase reports that a statement failed in a way that ends the instance.
	endedDatabase bool
}

func (c *connection) disconnect() { bindings.Disconnect(&c.handle) }

// runWithContext makes one blocking call and interrupts it when ctx ends. It returns when
// the call has returned, never before; but after a grace the executor gives up the
// connection, and calls the function of executor.WithAbandonFunc.
func (c *connection) runWithContext(ctx context.Context, call func() error) error {
	stopped, err := driver.RunCall(ctx, call, func(returned <-chan struct{}) {
		driver.InterruptUntilReturned(ctx, returned, func() { bindings.Interrupt(c.handle) }, func() bool {
			return c.owner != nil && c.owner.abandonConnection(c)
		})
	})
	c.endedDatabase = c.endedDatabase || errors.Is(err, errDatabaseEnded)
	c.spent = c.spent || stopped || c.endedDatabase
	return err
}

// executeScript runs a script whose results do not matter.
func (c *connection) executeScript(sql string) error {
	var result bindings.Result
	defer bindings.DestroyResult(&result)
	if bindings.Query(c.handle, sql, &result) != bindings.StateSuccess {
		return classifyErrorMessage(bindings.ResultError(&result))
	}
	return nil
}
