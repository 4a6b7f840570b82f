package restapi

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
)

// answer runs work within the route's budget and sends what it returns. work
// must not touch c: it may still run when the handler has given up on it.
func (s *Server) answer(c *fiber.Ctx, r route, work func(context.Context) ([]byte, error)) error {
	budget := s.config.RequestTimeout
	if r.executes {
		budget = s.config.ExecuteTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), budget)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o = outcome{err: &panicked{value: fmt.Sprint(p), stack: debug.Stack()}}
			}
			done <- o
		}()
		o.body, o.err = work(ctx)
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return o.err
		}
		return sendJSON(c, fiber.StatusOK, o.body)
	case <-ctx.Done():
		return spent(budget)
	}
}

type outcome struct {
	body []byte
	err  error
}

func spent(budget time.Duration) error {
	return &Error{CodeTimeout, fmt.Sprintf("the request was not answered within its %s", budget)}
}
