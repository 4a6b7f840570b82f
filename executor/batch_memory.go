package executor

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
)

// BatchBytes returns the memory of the values of a batch, without those of dictionaries, which batches share.
func BatchBytes(batch arrow.RecordBatch) (n int64) {
	for _, column := range batch.Columns() {
		n += arrayBytes(column.Data())
	}
	return n
}

func arrayBytes(data arrow.ArrayData) (n int64) {
	for _, b := range data.Buffers() {
		if b != nil {
			n += int64(b.Cap())
		}
	}
	for _, child := range data.Children() {
		n += arrayBytes(child)
	}
	return n
}

type batchMemoryKey struct{}

// WithBatchMemory returns a context under which a driver calls grow before a statement or its batch of rows takes more memory of the
// process, with the number of further bytes. Its error ends the rows, unchanged. Drivers whose batches are small do not call it.
func WithBatchMemory(ctx context.Context, grow func(bytes int) error) context.Context {
	return context.WithValue(ctx, batchMemoryKey{}, grow)
}

// BatchMemory returns the function of WithBatchMemory; nil without one.
func BatchMemory(ctx context.Context) func(bytes int) error {
	grow, _ := ctx.Value(batchMemoryKey{}).(func(int) error)
	return grow
}
