package executor

import "context"

type boundRowsKey struct{}

// BoundRows returns a context whose deadline covers the rows of a statement too, for a caller
// that reads all rows before it responds. A driver may then give the limit to the server, which
// ends the statement even when the client process is gone.
func BoundRows(ctx context.Context) context.Context {
	return context.WithValue(ctx, boundRowsKey{}, true)
}

// RowsBounded reports whether the context comes from BoundRows.
func RowsBounded(ctx context.Context) bool {
	bound, _ := ctx.Value(boundRowsKey{}).(bool)
	return bound
}
