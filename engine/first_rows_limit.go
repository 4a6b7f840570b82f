package engine

import (
	"context"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

type firstRowsContextKey struct{}

// WithFirstRowsLimit returns a context under which an execution keeps the first rows of its
// result only, as many as fit in the bytes. RowCount stays the number of all of them.
func WithFirstRowsLimit(ctx context.Context, rows, bytes int) context.Context {
	return context.WithValue(ctx, firstRowsContextKey{}, jsonrows.WrittenRowsAndBytesLimit{Rows: rows, Bytes: bytes})
}

// readFirstRows reads the first rows alone where ctx needs no more, and reports whether it
// does.
func (r *Result) readFirstRows(ctx context.Context, rows executor.Rows, hints jsonrows.TypeHints) (bool, error) {
	most, ok := ctx.Value(firstRowsContextKey{}).(jsonrows.WrittenRowsAndBytesLimit)
	if !ok {
		return false, nil
	}
	var err error
	r.Rows, r.RowCount, err = jsonrows.AppendFirstRows(ctx, nil, rows, hints, most)
	r.TotalRows = totalsRowCount(rows)
	return true, err
}
