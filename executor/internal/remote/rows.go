package remote

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/fault"
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
	Release()
}

type rows struct {
	executor  *Executor
	statement Statement
	over      bool
	err       error
}

func (r *rows) Schema() *arrow.Schema { return r.statement.Schema() }

func (r *rows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.over {
		return nil, io.EOF
	}
	if err := fault.Context(ctx); err != nil {
		r.fail(ctx, err)
		return nil, err
	}
	batch, err := r.statement.Next(ctx)
	switch {
	case err == nil:
		return batch, nil
	case errors.Is(err, io.EOF):
		r.over = true
		r.executor.end(ctx, r.statement, false)
		return nil, io.EOF
	}
	if late := fault.Context(ctx); late != nil {
		err = late
	}
	r.fail(ctx, err)
	return nil, err
}

// fail ends the statement on the warehouse too: what broke here, a page that
// could not be read or a value that cannot be carried, did not stop it there.
func (r *rows) fail(ctx context.Context, err error) {
	r.err = err
	r.executor.end(ctx, r.statement, true)
}

// Close ends a statement that has not ended by itself.
func (r *rows) Close() error {
	if r.err == nil && !r.over {
		r.fail(context.Background(), fault.Closed())
	}
	return nil
}
