// Package prepare puts one query to an engine: it prepares the statement and calls one of its methods.
package prepare

import (
	"context"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// Engine prepares statements: an *engine.Engine, or a service that stands in for one.
type Engine interface {
	Prepare(context.Context, query.Body) (engine.Statement, error)
}

// SQL compiles a query.
func SQL(ctx context.Context, e Engine, q query.Body) (*engine.Compiled, error) {
	return prepared(ctx, e, q, engine.Statement.SQL)
}

// Plan explains a query.
func Plan(ctx context.Context, e Engine, q query.Body) (*engine.Explained, error) {
	return prepared(ctx, e, q, engine.Statement.Explain)
}

// Rows executes a query.
func Rows(ctx context.Context, e Engine, q query.Body) (*engine.Result, error) {
	return prepared(ctx, e, q, engine.Statement.Execute)
}

// Stream executes a query and returns its rows as a stream.
func Stream(ctx context.Context, e Engine, q query.Body) (*engine.Stream, error) {
	return prepared(ctx, e, q, engine.Statement.Stream)
}

func prepared[A any](ctx context.Context, e Engine, q query.Body, verb func(engine.Statement, context.Context) (*A, error)) (*A, error) {
	s, err := e.Prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	return verb(s, ctx)
}
