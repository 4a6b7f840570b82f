package executor

import "context"

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
