package restapi

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
)

// respondWithinTimeBudget runs the work of a query within the route's budget and sends what it returns.
func (s *Server) respondWithinTimeBudget(c *fiber.Ctx, r route, work func(context.Context) ([]byte, error)) error {
	ctx := s.contextWithNewQueryID(c)
	body, err := s.runWithinRouteTimeBudget(ctx, c, r, work)
	if err == nil {
		err = s.reserveResponse(ctx, len(body))
	}
	if err != nil {
		return err
	}
	return sendExecuted(c, body)
}

// contextWithNewQueryID returns the context of a request with the id of a query, which its response
// shows.
func (s *Server) contextWithNewQueryID(c *fiber.Ctx) context.Context {
	x := requestRecordOf(c.Context())
	x.setQueryID(c, x.assignQueryID())
	return x.ctx
}

// runWithinRouteTimeBudget runs work for at most the route's budget and while its client waits. work
// ends when its context does: planning checks it between its phases, an execution is
// abandoned. So it needs no separate goroutine, whose start and end would cost as much as
// planning a plain query.
func (s *Server) runWithinRouteTimeBudget(ctx context.Context, c *fiber.Ctx, r route, work func(context.Context) ([]byte, error)) ([]byte, error) {
	budget := s.config.timeBudgetOfRoute(r)
	waited, stop := s.contextUntilDisconnect(ctx, c, r)
	defer stop()
	ctx, cancel := context.WithTimeout(waited, budget)
	defer cancel()
	body, err := work(ctx)
	switch {
	case err == nil:
		return body, nil
	case waited.Err() != nil:
		return nil, errClientDisconnected
	case ctx.Err() != nil:
		return nil, requestTimeoutError(budget)
	}
	return nil, err
}

// contextUntilDisconnect returns a context that ends too when the client of the request has closed the
// connection. Only where the work may take long is that worth a look.
func (s *Server) contextUntilDisconnect(ctx context.Context, c *fiber.Ctx, r route) (waited context.Context, stop func()) {
	if !r.long {
		return ctx, func() {}
	}
	waited, cancel := context.WithCancelCause(ctx)
	done := s.disconnects.onDisconnect(c.Context().Conn(), func() { cancel(errClientDisconnected) })
	return waited, func() {
		done()
		cancel(nil)
	}
}

// runWithTimeout runs work for at most its budget. A result that arrives later is passed to
// late.
func runWithTimeout[T any](parent context.Context, budget time.Duration, work func(context.Context) (T, error), late func(T)) (T, error) {
	ctx, cancel := context.WithTimeout(parent, budget)
	defer cancel()
	done := make(chan workValueOrError[T], 1)
	go func() {
		var o workValueOrError[T]
		defer func() {
			if p := recover(); p != nil {
				o = workValueOrError[T]{err: &panicError{value: p, stack: debug.Stack()}}
			}
			done <- o
		}()
		o.value, o.err = work(ctx)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	go func() {
		if o := <-done; o.err == nil {
			late(o.value)
		}
	}()
	var none T
	return none, requestTimeoutError(budget)
}

type workValueOrError[T any] struct {
	value T
	err   error
}
