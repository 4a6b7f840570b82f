package restapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
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
	begun := time.Now()
	answer, err := within(s.budget(r), open, func(late *engine.Stream) { _ = late.Close() })
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	from, to := io.Pipe()
	t := &transfer{
		answer: answer,
		to:     to,
		conn:   c.Context().Conn(),
		log:    s.config.Logger.With("request_id", strings.Clone(requestID(c)), "path", r.path),
		begun:  begun,
	}
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
	cancel context.CancelFunc
}

func (b *arrowBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// transfer is a stream on its way. It runs beside the HTTP library, which would
// not survive a panic in a writer that it calls itself.
type transfer struct {
	answer *engine.Stream
	to     *io.PipeWriter
	conn   net.Conn
	log    *slog.Logger
	begun  time.Time
}

func (t *transfer) run(ctx context.Context) {
	rows, err := t.write(ctx)
	gone := ctx.Err() != nil
	// Before the body ends: who sees the end may count on the slot.
	if closing := t.close(); err == nil {
		err = closing
	}
	t.report(rows, gone, err)
	// A reader that gets an error ends the body without its last chunk and
	// closes the connection; nil is the end of the body.
	_ = t.to.CloseWithError(err)
}

func (t *transfer) write(ctx context.Context) (rows int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = t.panicked(p)
		}
	}()
	return t.answer.Write(ctx, t)
}

func (t *transfer) close() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = t.panicked(p)
		}
	}()
	return t.answer.Close()
}

func (t *transfer) panicked(p any) error {
	t.log.Error("a panic while streaming", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return &Error{CodeInternal, "the server failed in the middle of the stream"}
}

// Write hands a piece of the stream to the HTTP library. The deadline that the
// library sets is for a whole answer, which a stream outlives: here every piece
// has the time of an answer.
func (t *transfer) Write(p []byte) (int, error) {
	if err := t.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	return t.to.Write(p)
}

// report writes the line of the request, once its status and headers are long
// out and only the log can tell how it ended.
func (t *transfer) report(rows int64, gone bool, err error) {
	log := t.log.With("status", fiber.StatusOK, "rows", rows, "took", time.Since(t.begun).Round(time.Millisecond))
	var coded engine.Coded
	switch {
	case err == nil:
		log.Info("stream", "end", "complete")
	case gone || !errors.As(err, &coded):
		log.Info("stream", "end", "the client went away")
	default:
		log.Warn("stream", "end", "cut off", "code", coded.ErrorCode(), "error", coded.Error())
	}
}
