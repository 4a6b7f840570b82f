package restapi

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
)

// answer runs the work of a query within the route's budget and sends what it returns.
func (s *Server) answer(c *fiber.Ctx, r route, work func(context.Context) ([]byte, error)) error {
	body, err := s.inBudget(s.identify(c), c, r, work)
	if err != nil {
		return err
	}
	return sendJSON(c, fiber.StatusOK, body)
}

// identify returns the context of a request with the id of a query, which its response
// shows.
func (s *Server) identify(c *fiber.Ctx) context.Context {
	x := exchangeOf(c.Context())
	x.showQuery(c, x.newQuery())
	return x.ctx
}

// inBudget runs work for at most the route's budget and while its client waits. work
// ends when its context does: planning looks at it between its phases, an
// execution is left behind. So it needs no goroutine of its own, whose start and
// end would cost as much as planning a plain query.
func (s *Server) inBudget(ctx context.Context, c *fiber.Ctx, r route, work func(context.Context) ([]byte, error)) ([]byte, error) {
	budget := s.config.budget(r)
	waited, stop := s.whileWaited(ctx, c, r)
	defer stop()
	ctx, cancel := context.WithTimeout(waited, budget)
	defer cancel()
	body, err := work(ctx)
	switch {
	case err == nil:
		return body, nil
	case waited.Err() != nil:
		return nil, errGone
	case ctx.Err() != nil:
		return nil, spent(budget)
	}
	return nil, err
}

// whileWaited is a context that ends too when the client of the request has closed the
// connection. Only where the work may take long is that worth a look.
func (s *Server) whileWaited(ctx context.Context, c *fiber.Ctx, r route) (waited context.Context, stop func()) {
	if !r.long {
		return ctx, func() {}
	}
	waited, cancel := context.WithCancelCause(ctx)
	done := s.clients.whenGone(c.Context().Conn(), func() { cancel(errGone) })
	return waited, func() {
		done()
		cancel(nil)
	}
}

// within runs work for at most its budget. What comes later is handed to late.
func within[T any](parent context.Context, budget time.Duration, work func(context.Context) (T, error), late func(T)) (T, error) {
	ctx, cancel := context.WithTimeout(parent, budget)
	defer cancel()
	done := make(chan outcome[T], 1)
	go func() {
		var o outcome[T]
		defer func() {
			if p := recover(); p != nil {
				o = outcome[T]{err: &panicked{value: p, stack: debug.Stack()}}
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
	return none, spent(budget)
}

type outcome[T any] struct {
	value T
	err   error
}
