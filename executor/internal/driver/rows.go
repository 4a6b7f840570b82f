package driver

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Statement is a running statement of a driver.
type Statement interface {
	// Fetch returns the next batch, never an empty one, and nil after the last. With an
	// error it may return a batch as well, which is released. It returns soon after ctx
	// ends.
	Fetch(ctx context.Context) (arrow.RecordBatch, error)
	// End frees what the statement holds, and ends it where it may still run. err is nil
	// when all rows have been fetched. It is called once, last; ctx may have ended.
	EndAndRelease(ctx context.Context, err error)
}

// Rows are the rows of a statement. A driver embeds them in its statement, adds Schema, and
// gives them the statement by Of.
type Rows struct {
	statement Statement
	over      bool
	err       error
}

// SetStatement sets the statement that the rows belong to.
func (r *Rows) SetStatement(s Statement) { r.statement = s }

// Next returns the next batch. See executor.Rows.
func (r *Rows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.over {
		return nil, io.EOF
	}
	batch, err := r.statement.Fetch(ctx)
	switch {
	case err != nil:
		if batch != nil {
			batch.Release()
		}
		r.endWithError(ctx, err)
		return nil, err
	case batch == nil:
		r.over = true
		r.statement.EndAndRelease(ctx, nil)
		return nil, io.EOF
	}
	return batch, nil
}

// Close ends a statement that has not ended by itself.
func (r *Rows) Close() error {
	if r.err == nil && !r.over {
		r.endWithError(context.Background(), ClosedError())
	}
	return nil
}

func (r *Rows) endWithError(ctx context.Context, err error) {
	r.err = err
	r.statement.EndAndRelease(ctx, err)
}
