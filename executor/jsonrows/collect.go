package jsonrows

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// Result is a whole answer in memory.
type Result struct {
	// Columns are the names in order.
	Columns []string
	// Rows is a JSON array of objects.
	Rows []byte
	// Count is the number of objects in Rows.
	Count int
}

// Columns returns the column names of a schema, never nil.
func Columns(schema *arrow.Schema) []string {
	names := make([]string, schema.NumFields())
	for i, f := range schema.Fields() {
		names[i] = f.Name
	}
	return names
}

// Collect drains rows. Closing them stays with the caller.
func Collect(ctx context.Context, rows executor.Rows, hints Hints) (Result, error) {
	text, count, err := Append(ctx, nil, rows, hints)
	if err != nil {
		return Result{}, err
	}
	return Result{Columns: Columns(rows.Schema()), Rows: text, Count: count}, nil
}

// Append drains rows and appends them to dst as a JSON array. It returns the
// number of rows; after an error what has been appended is incomplete.
func Append(ctx context.Context, dst []byte, rows executor.Rows, hints Hints) ([]byte, int, error) {
	w, err := NewWriter(rows.Schema(), hints)
	if err != nil {
		return dst, 0, err
	}
	dst = append(dst, '[')
	for {
		batch, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			return append(dst, ']'), w.Count(), nil
		}
		if err != nil {
			return dst, w.Count(), err
		}
		dst = w.Append(dst, batch)
		batch.Release()
	}
}
