package engine

import (
	"context"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

type firstRowsKey struct{}

// WithFirstRows returns a context under which an execution keeps the first rows of its
// result only, as many as fit in the bytes. RowCount stays the number of all of them.
func WithFirstRows(ctx context.Context, rows, bytes int) context.Context {
	return context.WithValue(ctx, firstRowsKey{}, jsonrows.First{Rows: rows, Bytes: bytes})
}

// readFirst reads the first rows alone where ctx wants no more, and reports whether it
// does.
func (r *Result) readFirst(ctx context.Context, rows executor.Rows, hints jsonrows.Hints) (bool, error) {
	most, ok := ctx.Value(firstRowsKey{}).(jsonrows.First)
	if !ok {
		return false, nil
	}
	var err error
	r.Rows, r.RowCount, err = jsonrows.AppendFirst(ctx, nil, rows, hints, most)
	return true, err
}
