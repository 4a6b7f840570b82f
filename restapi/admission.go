package restapi

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// maxBodyBytesBeforeToken is the size of a body that is read before the token is checked: the bytes
// that are read together with the head anyway.
const maxBodyBytesBeforeToken = 8 << 10

// bodyLengthMarkingRejection marks a request whose body is rejected: the HTTP library then does not
// read it and keeps the head, from which classify finds the reason.
const bodyLengthMarkingRejection = math.MaxInt

// absentBodyLength is the length that the library gives a request that announces no
// body; one in chunks has -1.
const absentBodyLength = -2

// readLimitsFromHeader decides from the head of a request whether its body is read, and how long that may
// take. Without a valid token only a small body is read: no client makes the server hold
// megabytes before it has checked the token. The response is the one that every
// unauthorized request gets.
//
// A body that is not small has the server's time for a body; a head and a small
// body have to arrive within the time for a head.
func (s *Server) readLimitsFromHeader(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	length := h.ContentLength()
	if length == absentBodyLength || isReadBeforeTokenCheck(length) {
		return fasthttp.RequestConfig{}
	}
	if !s.admitsBodyOfLength(context.Background(), int64(length), string(h.Peek(fiber.HeaderAuthorization))) {
		h.SetContentLength(bodyLengthMarkingRejection) // which no limit lets through
		return fasthttp.RequestConfig{MaxRequestBodySize: maxBodyBytesBeforeToken}
	}
	return fasthttp.RequestConfig{ReadTimeout: s.config.BodyTimeout}
}

// isReadBeforeTokenCheck reports whether a body of this length is read before the token is checked. One
// in chunks has a negative length and is not.
func isReadBeforeTokenCheck[T int | int64](length T) bool {
	return length >= 0 && length <= maxBodyBytesBeforeToken
}

// admitsBodyOfLength reports whether a body of this length may be read.
func (s *Server) admitsBodyOfLength(ctx context.Context, length int64, authorization string) bool {
	if isReadBeforeTokenCheck(length) {
		return true
	}
	_, err := s.callerOfHeader(ctx, authorization)
	return err == nil
}

// serveRequest handles every request that arrives on the server's own listener.
func (s *Server) serveRequest(c *fasthttp.RequestCtx) {
	setConnState(c.Conn(), connServingRequest)
	defer dropLongBody(&c.Request) // its connection would keep it
	s.handleWithRequestRecord(c, func(c *fasthttp.RequestCtx) {
		if why := describeFramingError(&c.Request.Header); why != "" {
			s.sendErrorWithoutRouter(c, badRequestError(why))
			c.SetConnectionClose() // what follows may be anything
			return
		}
		if s.draining.Load() {
			c.SetConnectionClose() // the client's next request finds another server
		}
		s.callRouter(c)
	})
}

// handleWithRequestRecord answers a request within its record. It is the last chance to contain a
// panic: the HTTP library would end the process.
func (s *Server) handleWithRequestRecord(c *fasthttp.RequestCtx, answer func(*fasthttp.RequestCtx)) {
	x := s.startRequestRecord(c)
	defer func() {
		if p := recover(); p != nil {
			s.handlePanicOutsideHandlers(c, p)
		}
		if x.id == "" {
			x.countBody(&c.Response)
			x.writeToMetricsLogAndSpan(string(c.Response.Header.Peek(headerRequestID)), c.Response.StatusCode(), streamOutcome{})
		}
	}()
	answer(c)
}

// callRouter calls the router, which would answer for itself where it does not know a method.
func (s *Server) callRouter(c *fasthttp.RequestCtx) {
	if !slices.Contains(fiber.DefaultMethods, string(c.Method())) {
		s.sendErrorWithoutRouter(c, fiber.ErrMethodNotAllowed)
		return
	}
	s.router(c)
	compressResponse(c)
}

// sendErrorWithoutRouter answers with an error where there is no router.
func (s *Server) sendErrorWithoutRouter(c *fasthttp.RequestCtx, err error) {
	fc := s.app.AcquireCtx(c)
	defer s.app.ReleaseCtx(fc)
	if !s.permitsRequest(fc) {
		err = errUnauthorized
	}
	_ = s.handleError(fc, err)
}

// handlePanicOutsideHandlers responds after a panic outside of the handlers.
func (s *Server) handlePanicOutsideHandlers(c *fasthttp.RequestCtx, p any) {
	s.metrics.panics.Inc()
	s.logInternalError(requestRecordOf(c).ctx, "a panic outside of any handler", string(c.Response.Header.Peek(headerRequestID)), p, "")
	c.Response.ResetBody()
	c.Response.SetStatusCode(fiber.StatusInternalServerError)
	c.Response.Header.SetContentType(fiber.MIMEApplicationJSON)
	c.Response.SetBodyRaw([]byte(`{"error":{"code":"internal","message":"the server failed at this request"}}`))
}

// busyLogInterval is the time between two lines of log for requests answered busy.
const busyLogInterval = time.Second

// busyLog lets one line of log in each interval through for requests that were answered
// busy, and counts those left out. A client that asks in a loop gets thousands of such
// answers a second.
type busyLog struct {
	mu      sync.Mutex
	next    time.Time
	omitted int
}

// admitLine reports whether the request of this time has a line of log, and how many had
// none since the last line.
func (b *busyLog) admitLine(now time.Time) (omitted int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Before(b.next) {
		b.omitted++
		return 0, false
	}
	b.next = now.Add(busyLogInterval)
	omitted, b.omitted = b.omitted, 0
	return omitted, true
}
