package restapi

import (
	"context"
	"errors"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

// stream opens an answer within the budget of the route and sends it while the
// warehouse computes. Until the first batch is there, errors are answered as
// everywhere; after it the status is out, and a failure cuts the body.
func (s *Server) stream(c *fiber.Ctx, r route, open func(context.Context) (*engine.Stream, error)) error {
	x := exchangeOf(c.Context())
	waited, stop := s.whileWaited(s.identify(c), c, r)
	defer stop()
	answer, err := within(waited, s.config.budget(r), open, func(late *engine.Stream) { _ = late.Close() })
	switch {
	case err == nil:
	case waited.Err() != nil:
		return errGone
	default:
		return err
	}
	ctx, cancel := context.WithCancelCause(x.ctx)
	from, to := io.Pipe()
	t := &transfer{
		answer: answer,
		to:     to,
		conn:   c.Context().Conn(),
		x:      x,
		stall:  s.config.StallTimeout,
	}
	t.watch = time.AfterFunc(t.stall, func() {
		cancel(errStalled)
	})
	x.leave(strings.Clone(requestID(c)))
	c.Status(fiber.StatusOK)
	c.Response().Header.SetContentType(engine.ArrowStreamType)
	c.Response().SetBodyStream(&arrowBody{from, cancel}, -1)
	go t.run(ctx)
	return nil
}

// arrowBody is the reading end. The HTTP library closes it at its end and when
// the client is gone, and that ends the statement.
type arrowBody struct {
	*io.PipeReader
	cancel context.CancelCauseFunc
}

func (b *arrowBody) Close() error {
	b.cancel(errGone)
	return b.PipeReader.Close()
}

// transfer is a stream on its way. It runs beside the HTTP library, which would
// not survive a panic in a writer that it calls itself.
type transfer struct {
	answer *engine.Stream
	to     *io.PipeWriter
	conn   net.Conn
	x      *exchange

	// watch ends the statement when the warehouse has given nothing for the time
	// of stall: nobody else would notice, and the slot would be held.
	watch *time.Timer
	stall time.Duration
}

// errStalled ends the statement of a stream whose warehouse gives nothing.
var errStalled = errors.New("the warehouse has stalled")

func (t *transfer) run(ctx context.Context) {
	err := t.write(ctx)
	t.watch.Stop()
	gone := errors.Is(context.Cause(ctx), errGone)
	// Before the body ends: who sees the end may count on the slot.
	if closing := t.close(ctx); err == nil {
		err = closing
	}
	t.report(gone, err)
	// A reader that gets an error ends the body without its last chunk and
	// closes the connection; nil is the end of the body.
	_ = t.to.CloseWithError(err)
}

func (t *transfer) write(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = t.panicked(ctx, p)
		}
	}()
	_, err = t.answer.Write(ctx, t)
	return err
}

func (t *transfer) close(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = t.panicked(ctx, p)
		}
	}()
	return t.answer.Close()
}

func (t *transfer) panicked(ctx context.Context, p any) error {
	t.x.server.metrics.panics.Inc()
	t.x.server.defect(ctx, "a panic while streaming", t.x.id, p, string(debug.Stack()))
	return &Error{CodeInternal, "the server failed in the middle of the stream"}
}

// Write hands a piece of the stream to the HTTP library. The deadline that the
// library sets is for a whole answer, which a stream outlives: here every piece
// has the time of an answer.
func (t *transfer) Write(p []byte) (int, error) {
	t.watch.Stop() // from here on the client is the slow one, which has a deadline of its own
	defer t.watch.Reset(t.stall)
	if err := t.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	return t.to.Write(p)
}

// report ends the exchange, once its status and headers are long out and only
// the log can tell how it ended.
func (t *transfer) report(gone bool, err error) {
	var coded engine.Coded
	switch {
	case err == nil:
		t.x.finish(t.x.id, fiber.StatusOK, ending{how: "complete"})
	case gone || !errors.As(err, &coded):
		t.x.code = CodeClientGone
		t.x.finish(t.x.id, fiber.StatusOK, ending{"the client went away", err})
	default:
		t.x.code = coded.ErrorCode()
		t.x.finish(t.x.id, fiber.StatusOK, ending{"cut off", err})
	}
}
