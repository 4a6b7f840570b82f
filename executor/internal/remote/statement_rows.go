package remote

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Statement is one statement on the warehouse. It is used by one goroutine at a
// time.
type Statement interface {
	// Schema of the rows.
	Schema() *arrow.Schema
	// Next returns the next batch, never an empty one, or io.EOF after the last.
	// It returns soon after ctx ends, with any error.
	Next(ctx context.Context) (arrow.RecordBatch, error)
	// Cancel asks the warehouse to stop. It is called at most once, and only for
	// a statement that has neither ended nor failed by itself.
	Cancel(ctx context.Context)
	// Release frees what the statement holds here. It is called once, last.
	ReleaseBufferedRows()
}

type statementRows struct {
	driver.Rows
	executor  *Executor
	statement Statement
}

func (r *statementRows) Schema() *arrow.Schema { return r.statement.Schema() }

// Fetch requests the next batch. See driver.Statement.
func (r *statementRows) Fetch(ctx context.Context) (arrow.RecordBatch, error) {
	if err := driver.ContextError(ctx); err != nil {
		return nil, err
	}
	batch, err := r.statement.Next(ctx)
	switch {
	case err == nil:
		return batch, nil
	case errors.Is(err, io.EOF):
		return nil, nil
	}
	if late := driver.ContextError(ctx); late != nil {
		err = late
	}
	return nil, err
}

// EndAndRelease ends a statement that failed on the warehouse too: what broke here, a page that
// could not be read or a value that cannot be carried, did not stop it there. See
// driver.Statement.
func (r *statementRows) EndAndRelease(ctx context.Context, err error) {
	r.executor.cancelAndRelease(ctx, r.statement, err != nil)
}
