package restapi

import (
	"math"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// smallBody is what a request may hold before anybody has looked at it: the
// bytes that are read together with its head anyway.
const smallBody = 8 << 10

// refusedLength marks a request whose body is not wanted: the HTTP library then
// reads none of it and keeps the head, by which problem knows why.
const refusedLength = math.MaxInt

// withoutBody is the length that the library gives a request that announces no
// body; one in chunks has -1.
const withoutBody = -2

// admit decides from the head of a request whether its body is read, and how
// long that may take. Without a valid token it is not, unless it is small: nobody
// makes the server hold megabytes before it has looked at the token. The refusal
// is the one that every unauthorized request gets.
//
// A body that is not small has the server's time for a body; a head and a small
// body have to arrive within the time for a head.
func (s *Server) admit(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	length := h.ContentLength()
	if length == withoutBody || length >= 0 && length <= smallBody {
		return fasthttp.RequestConfig{}
	}
	if !s.auth.accepts(string(h.Peek(fiber.HeaderAuthorization))) {
		h.SetContentLength(refusedLength) // which no limit lets through
		return fasthttp.RequestConfig{MaxRequestBodySize: smallBody}
	}
	return fasthttp.RequestConfig{ReadTimeout: s.config.BodyTimeout}
}

// serve answers everything that reaches the server. It stands around the router, which
// answers for itself where it does not know a method, and around the last chance
// to contain a panic: the HTTP library would end the process.
func (s *Server) serve(router fasthttp.RequestHandler) fasthttp.RequestHandler {
	known := map[string]bool{}
	for _, m := range fiber.DefaultMethods {
		known[m] = true
	}
	return func(c *fasthttp.RequestCtx) {
		enter(c.Conn(), connWorking)
		x := s.begin(c)
		defer func() {
			if p := recover(); p != nil {
				s.lastResort(c, p)
			}
			if x.id == "" {
				x.finish(string(c.Response.Header.Peek(headerRequestID)), c.Response.StatusCode(), ending{})
			}
		}()
		if why := misframed(&c.Request.Header); why != "" {
			s.refuse(c, badRequest(why))
			c.SetConnectionClose() // what follows may be anything
			return
		}
		if !known[string(c.Method())] {
			s.refuse(c, fiber.ErrMethodNotAllowed)
			return
		}
		if s.draining.Load() {
			c.SetConnectionClose() // the client's next request finds another server
		}
		router(c)
		compress(c)
	}
}

// refuse answers with an error where there is no router.
func (s *Server) refuse(c *fasthttp.RequestCtx, err error) {
	fc := s.app.AcquireCtx(c)
	defer s.app.ReleaseCtx(fc)
	if !s.auth.permits(fc) {
		err = errUnauthorized
	}
	_ = s.problem(fc, err)
}

// lastResort answers where even the way to an answer has failed.
func (s *Server) lastResort(c *fasthttp.RequestCtx, p any) {
	s.metrics.panics.Inc()
	s.defect(exchangeOf(c).ctx, "a panic outside of any handler", string(c.Response.Header.Peek(headerRequestID)), p, "")
	c.Response.ResetBody()
	c.Response.SetStatusCode(fiber.StatusInternalServerError)
	c.Response.Header.SetContentType(fiber.MIMEApplicationJSON)
	c.Response.SetBodyRaw([]byte(`{"error":{"code":"internal","message":"the server failed at this request"}}`))
}
