package executor

import "context"

type abandonFuncKey struct{}

// WithAbandonFunc returns a context with a function that an executor calls when it stops
// waiting for a call made with that context: the context ended, the warehouse was asked
// to end the statement, and it did not. The call itself returns whenever the warehouse
// lets it, and holds nothing that others need until then.
func WithAbandonFunc(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, abandonFuncKey{}, f)
}

// CallAbandonFunc calls the function of WithAbandonFunc.
func CallAbandonFunc(ctx context.Context) {
	if f, ok := ctx.Value(abandonFuncKey{}).(func()); ok {
		f()
	}
}

type deadlineCoversRowsKey struct{}

type maxBytesBilledKey struct{}

// WithMaxBytesBilled returns a context for statements that a warehouse rejects where it would bill more bytes for one of them.
// Warehouses that do not bill by bytes ignore it.
func WithMaxBytesBilled(ctx context.Context, bytes int64) context.Context {
	return context.WithValue(ctx, maxBytesBilledKey{}, bytes)
}

// MaxBytesBilled returns the bytes that a statement may cost; 0 is without a limit.
func MaxBytesBilled(ctx context.Context) int64 {
	bytes, _ := ctx.Value(maxBytesBilledKey{}).(int64)
	return bytes
}

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

// Session is what a statement runs as: a role of the warehouse, and settings that its rules read.
type Session struct {
	Role     string // "" keeps that of the connection
	Settings []SessionSetting
}

// SessionSetting is a setting of a session, such as app.tenant.
type SessionSetting struct{ Name, Value string }

type sessionKey struct{}

// WithSession returns a context for statements that run in a session. An executor of PostgreSQL makes one for each statement and leaves
// nothing of it on the connection; other executors have none.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// SessionFrom returns the session of WithSession; nil for none.
func SessionFrom(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}
