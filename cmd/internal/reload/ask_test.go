package reload_test

import (
	"context"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// preparer is an engine, or a service that stands in for one.
type preparer interface {
	Prepare(context.Context, query.Body) (engine.Statement, error)
}

func askSQL(ctx context.Context, e preparer, q query.Body) (*engine.Compiled, error) {
	return ask(ctx, e, q, engine.Statement.SQL)
}

// ask prepares a statement and calls one of its methods.
func ask[A any](ctx context.Context, e preparer, q query.Body, verb func(engine.Statement, context.Context) (*A, error)) (*A, error) {
	s, err := e.Prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	return verb(s, ctx)
}
