package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"github.com/semlayer/semlayer/executor"
)

type queryIDContextKey struct{}

// NewQueryID returns a random id of 32 hexadecimal digits, by which the log, the
// response and the warehouse name one query.
func NewQueryID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // which never fails
	return hex.EncodeToString(id[:])
}

// WithQueryID returns a context under which the verbs of an Engine work for the
// query of this id.
func WithQueryID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, queryIDContextKey{}, id)
}

// QueryID returns the id of the query that ctx belongs to, "" where it has none.
func QueryID(ctx context.Context) string {
	id, _ := ctx.Value(queryIDContextKey{}).(string)
	return id
}

// withQueryTag returns a context under which the statements of one query carry its id to the
// warehouse, unless the configuration leaves that out.
func (e *Engine) withQueryTag(ctx context.Context) context.Context {
	if e.config.NoStatementTags {
		return ctx
	}
	return executor.WithQueryTag(ctx, QueryID(ctx))
}
