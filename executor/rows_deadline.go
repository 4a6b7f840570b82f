package executor

import "context"

type deadlineCoversRowsKey struct{}

// WithDeadlineForRows returns a context whose deadline covers the rows of a statement too, for a caller
// that reads all rows before it responds. A driver may then give the limit to the server, which
// ends the statement even when the client process is gone.
func WithDeadlineForRows(ctx context.Context) context.Context {
	return context.WithValue(ctx, deadlineCoversRowsKey{}, true)
}

// HasDeadlineForRows reports whether the context comes from WithDeadlineForRows.
func HasDeadlineForRows(ctx context.Context) bool {
	bound, _ := ctx.Value(deadlineCoversRowsKey{}).(bool)
	return bound
}
