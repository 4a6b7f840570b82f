package executor

import "context"

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
