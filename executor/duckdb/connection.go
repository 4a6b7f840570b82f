package duckdb

import (
	"context"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/connpool"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// interruptInterval is how often a statement is interrupted again after its
// context ended: DuckDB forgets an interrupt that comes between two of its
// phases.
const interruptInterval = 5 * time.Millisecond

// interruptGrace is how long a call may go on after the end of its context before it is given
// up. DuckDB looks at an interrupt between two steps of a plan; most take milliseconds.
const interruptGrace = 2 * time.Second

type connection struct {
	connpool.SlotHolder
	in     *databaseInstance
	owner  *Executor // nil while the database opens
	handle bindings.Connection
	// spent reports that the connection may still carry a statement or a pending interrupt and
	// must not serve another query.
	spent bool
}

func (c *connection) disconnect() { bindings.Disconnect(&c.handle) }

// runWithContext makes one blocking call and interrupts it when ctx ends. It returns when
// the call has returned, never before; but after a grace the executor gives up the
// connection, and calls the function of executor.OnAbandon. A call that ends together with its
// context counts as cut short, because the interrupt may have come too late for
// it and would then strike the next call.
func (c *connection) runWithContext(ctx context.Context, call func() error) error {
	if err := execerr.ContextError(ctx); err != nil {
		return err
	}
	if ctx.Done() == nil {
		return call()
	}
	returned, stopped := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		c.interruptOrAbandonCall(ctx, returned)
	})
	err := call()
	close(returned)
	if stop() {
		return err
	}
	<-stopped
	c.spent = true
	return execerr.ContextError(ctx)
}

func (c *connection) interruptOrAbandonCall(ctx context.Context, returned <-chan struct{}) {
	again, late := time.NewTicker(interruptInterval), time.NewTicker(interruptGrace)
	defer again.Stop()
	defer late.Stop()
	for {
		bindings.Interrupt(c.handle)
		select {
		case <-returned:
			return
		case <-again.C:
		case <-late.C:
			if c.owner != nil && c.owner.abandonConnection(c) {
				executor.CallAbandonFunc(ctx)
				late.Stop()
			}
		}
	}
}

// executeScript runs a script whose results do not matter.
func (c *connection) executeScript(sql string) error {
	var result bindings.Result
	defer bindings.DestroyResult(&result)
	if bindings.Query(c.handle, sql, &result) != bindings.StateSuccess {
		return classifyMessage(bindings.ResultError(&result))
	}
	return nil
}
