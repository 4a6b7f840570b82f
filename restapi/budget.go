package restapi

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
)

// answer runs work within the route's budget and sends what it returns. work
// ends when its context does: planning looks at it between its phases, an
// execution is left behind. So it needs no goroutine of its own, whose start and
// end would cost as much as planning a plain query.
func (s *Server) answer(c *fiber.Ctx, r route, work func(context.Context) ([]byte, error)) error {
	budget := s.budget(r)
	waited, stop := s.whileWaited(c, r)
	defer stop()
	ctx, cancel := context.WithTimeout(waited, budget)
	defer cancel()
	body, err := work(ctx)
	switch {
	case err == nil:
		return sendJSON(c, fiber.StatusOK, body)
	case waited.Err() != nil:
		return errGone
	case ctx.Err() != nil:
		return spent(budget)
	}
	return err
}

// whileWaited is the context of a query, which has an id and ends when nobody waits
// for the answer any more. Only where a warehouse works for it is that worth a look.
func (s *Server) whileWaited(c *fiber.Ctx, r route) (ctx context.Context, stop func()) {
	x := exchangeOf(c.Context())
	x.showQuery(c, x.newQuery())
	ctx = x.ctx
	if !r.executes {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	done := s.clients.whenGone(c.Context().Conn(), func() { cancel(errGone) })
	return ctx, func() {
		done()
		cancel(nil)
	}
}

// errGone is for the log, the metrics and the spans: its response reaches no one.
var errGone = &Error{CodeClientGone, "the client closed the connection before the response"}

func (s *Server) budget(r route) time.Duration {
	if r.executes {
		return s.config.ExecuteTimeout
	}
	return s.config.RequestTimeout
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

func spent(budget time.Duration) error {
	return &Error{CodeTimeout, fmt.Sprintf("the request was not answered within its %s", budget)}
}
