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

// respondArrowStream opens a stream within the budget of the route and sends it while the
// warehouse computes. Until the first batch, errors become ordinary responses; after it the
// status is sent, and a failure truncates the body.
func (s *Server) respondArrowStream(c *fiber.Ctx, r route, open func(context.Context) (*engine.Stream, error)) error {
	x := requestRecordOf(c.Context())
	waited, stop := s.contextUntilDisconnect(s.contextWithNewQueryID(c), c, r)
	defer stop()
	answer, err := runWithTimeout(waited, s.config.timeBudgetOfRoute(r), open, func(late *engine.Stream) { _ = late.Close() })
	switch {
	case err == nil:
	case waited.Err() != nil:
		return errClientDisconnected
	default:
		return err
	}
	if done, err := s.notModifiedStream(waited, c, answer); done || err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(x.ctx)
	from, to := io.Pipe()
	t := &streamTransfer{
		stream:       answer,
		to:           to,
		conn:         c.Context().Conn(),
		x:            x,
		stallTimeout: s.config.StallTimeout,
	}
	t.stallTimer = time.AfterFunc(t.stallTimeout, func() {
		cancel(errWarehouseStalled)
	})
	t.ageTimer = time.AfterFunc(s.config.StreamTimeout, func() {
		cancel(errStreamTooOld)
		_ = to.CloseWithError(errStreamTooOld) // a client that reads slowly
	})
	x.keepOpenForStream(strings.Clone(requestID(c)))
	c.Status(fiber.StatusOK)
	c.Response().Header.SetContentType(engine.ArrowStreamType)
	c.Response().SetBodyStream(&cancelOnClosePipeReader{from, cancel}, -1)
	go t.runTransfer(ctx)
	return nil
}

// cancelOnClosePipeReader is the reading end. The HTTP library closes it at its end and when
// the client is gone, and that ends the statement.
type cancelOnClosePipeReader struct {
	*io.PipeReader
	cancel context.CancelCauseFunc
}

func (b *cancelOnClosePipeReader) Close() error {
	b.cancel(errClientDisconnected)
	return b.PipeReader.Close()
}

// streamTransfer is a stream on its way. It runs beside the HTTP library, which would
// not survive a panic in a writer that it calls itself.
type streamTransfer struct {
	stream *engine.Stream
	to     *io.PipeWriter
	conn   net.Conn
	x      *requestRecord

	// stallTimer ends the statement when the warehouse has returned nothing for
	// stallTimeout: no other timer covers this, and the slot would stay taken.
	stallTimer   *time.Timer
	stallTimeout time.Duration
	ageTimer     *time.Timer // ends a stream that has taken its slot for too long
}

// errStreamTooOld ends a stream whose rows were not read in time.
var errStreamTooOld = &Error{CodeTimeout, "the rows were not read within the time limit of a stream"}

// errWarehouseStalled ends the statement of a stream whose warehouse gives nothing.
var errWarehouseStalled = errors.New("the warehouse has stalled")

func (t *streamTransfer) runTransfer(ctx context.Context) {
	err := t.writeWholeStream(ctx)
	t.stallTimer.Stop()
	t.ageTimer.Stop()
	if errors.Is(context.Cause(ctx), errStreamTooOld) {
		err = errStreamTooOld
	}
	gone := errors.Is(context.Cause(ctx), errClientDisconnected)
	// Before the body ends: who sees the end may count on the slot.
	if closing := t.close(ctx); err == nil {
		err = closing
	}
	t.finishRecord(gone, err)
	// A reader that gets an error ends the body without its last chunk and
	// closes the connection; nil is the end of the body.
	_ = t.to.CloseWithError(err)
}

func (t *streamTransfer) writeWholeStream(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = t.logPanicAsError(ctx, p)
		}
	}()
	_, err = t.stream.Write(ctx, t)
	return err
}

func (t *streamTransfer) close(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = t.logPanicAsError(ctx, p)
		}
	}()
	return t.stream.Close()
}

func (t *streamTransfer) logPanicAsError(ctx context.Context, p any) error {
	t.x.server.metrics.panics.Inc()
	t.x.server.logInternalError(ctx, "a panic while streaming", t.x.id, p, string(debug.Stack()))
	return &Error{CodeInternal, "the server failed in the middle of the stream"}
}

// Write hands a piece of the stream to the HTTP library. The deadline that the library sets
// is for a whole response, which a stream outlives: here every piece has the time of a
// response.
func (t *streamTransfer) Write(p []byte) (int, error) {
	t.stallTimer.Stop() // from here on the write deadline bounds a slow client
	defer t.stallTimer.Reset(t.stallTimeout)
	if err := t.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	n, err := t.to.Write(p)
	t.x.bytes.Add(int64(n))
	return n, err
}

// finishRecord ends the record of the request, after its status and headers are sent, when only
// the log can report how it ended.
func (t *streamTransfer) finishRecord(gone bool, err error) {
	var coded engine.CodedError
	switch {
	case err == nil:
		t.x.writeToMetricsLogAndSpan(t.x.id, fiber.StatusOK, streamOutcome{state: "complete"})
	case gone || !errors.As(err, &coded):
		t.x.code = CodeClientGone
		t.x.writeToMetricsLogAndSpan(t.x.id, fiber.StatusOK, streamOutcome{"the client went away", err})
	default:
		t.x.code, t.x.message = coded.ErrorCode(), engine.AuditMessage(coded)
		t.x.writeToMetricsLogAndSpan(t.x.id, fiber.StatusOK, streamOutcome{"cut off", err})
	}
}
