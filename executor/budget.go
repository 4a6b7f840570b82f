package executor

import "context"

type boundRowsKey struct{}

// BoundRows returns a context that says of its deadline that it covers the rows of a statement
// too, as that of a caller who reads all rows before it answers. A driver may then give the
// limit to the server, which ends the statement even when the process that asked is gone.
func BoundRows(ctx context.Context) context.Context {
	return context.WithValue(ctx, boundRowsKey{}, true)
}

// RowsBounded reports whether the context comes from BoundRows.
func RowsBounded(ctx context.Context) bool {
	bound, _ := ctx.Value(boundRowsKey{}).(bool)
	return bound
}
