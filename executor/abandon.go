package executor

import "context"

type abandonKey struct{}

// OnAbandon returns a context with a function that an executor calls when it stops
// waiting for a call made with that context: the context ended, the warehouse was asked
// to end the statement, and it did not. The call itself returns whenever the warehouse
// lets it, and holds nothing that others need until then.
func OnAbandon(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, abandonKey{}, f)
}

// Abandoned calls the function of OnAbandon.
func Abandoned(ctx context.Context) {
	if f, ok := ctx.Value(abandonKey{}).(func()); ok {
		f()
	}
}
