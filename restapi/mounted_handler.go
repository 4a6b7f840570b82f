package restapi

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine/memory"
)

// Handler returns the interface as a handler of net/http, for the mux of another
// program. prefix is the path under which it is mounted, "" for the root:
//
//	mux.Handle("/semantic/", server.Handler("/semantic"))
//
// Routes, tokens, budgets, the limit on a body and Config.BodyTimeout are those of
// Serve; streams are sent while the warehouse computes. Where the context of a request
// ends, because its client has disconnected or for another reason of the program, its
// execution ends. The connections belong to the program's own server: it bounds their
// number and the time for a head (http.Server.ReadHeaderTimeout), and it drains them.
func (s *Server) Handler(prefix string) http.Handler {
	prefix = strings.TrimRight(prefix, "/")
	return http.StripPrefix(prefix, &serverAsNetHTTPHandler{server: s, prefix: prefix})
}

// serverAsNetHTTPHandler is a Server under a path of another program.
//
// It replaces the adaptor of the HTTP library, which reads bodies without a limit, holds a
// stream in memory until its end, sends the error of a broken stream as the rest of its
// body, and reports neither the local address nor the disconnect.
type serverAsNetHTTPHandler struct {
	server *Server
	prefix string
}

// ServeHTTP answers one request.
func (m *serverAsNetHTTPHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "" && m.prefix != "" {
		// The page at the root names its files relative to a path with a slash.
		w.Header().Set(fiber.HeaderLocation, path.Base(m.prefix)+"/")
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	c := new(fasthttp.RequestCtx)
	c.Init2(&mountedHandlerRequestConn{prefix: m.prefix, ctx: r.Context(), remote: r.RemoteAddr}, nil, true)
	copyHeadToFasthttpRequest(&c.Request, r)
	held, _ := m.server.config.Memory.Part(memory.Messages).Reserve(0)
	defer held.Release()
	if err := m.server.readMountedBody(c, w, r, held); err != nil {
		fc := m.server.app.AcquireCtx(c)
		_ = m.server.handleError(fc, err) //nolint:contextcheck // the context of the request is in its record
		m.server.app.ReleaseCtx(fc)
	} else {
		m.server.handleWithRequestRecord(c, m.server.callRouter)
	}
	sendFasthttpResponseToNetHTTP(w, r, &c.Response)
}

// copyHeadToFasthttpRequest copies method, path and headers. The path is that below the prefix.
func copyHeadToFasthttpRequest(to *fasthttp.Request, r *http.Request) {
	target := url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	to.Header.SetMethod(r.Method)
	to.SetRequestURI(target.RequestURI())
	for name, values := range r.Header {
		for _, v := range values {
			to.Header.Add(name, v)
		}
	}
	to.Header.SetHost(r.Host)
}

// readMountedBody reads a body as the server's own connections do: not more than admit
// allows, within the time for a body. It takes its memory of held.
func (s *Server) readMountedBody(c *fasthttp.RequestCtx, w http.ResponseWriter, r *http.Request, held *memory.Reservation) error {
	if r.ContentLength == 0 {
		return nil
	}
	if !s.admitsBodyOfLength(r.Context(), r.ContentLength, r.Header.Get(fiber.HeaderAuthorization)) {
		c.Request.Header.SetContentLength(bodyLengthMarkingRejection)
		return fiber.ErrRequestEntityTooLarge
	}
	if err := held.Grow(bodyBytesFactor * mountedBodyBytes(r.ContentLength, s.config.MaxBodyBytes)); err != nil {
		return err
	}
	deadlines := http.NewResponseController(w)
	_ = deadlines.SetReadDeadline(time.Now().Add(s.config.BodyTimeout)) // not every writer has one
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(s.config.MaxBodyBytes)))
	if err == nil {
		c.Request.SetBodyRaw(body)
		_ = deadlines.SetReadDeadline(time.Time{})
		return nil
	}
	// The deadline stays: net/http reads the rest of the body before it responds.
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fiber.ErrRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fiber.ErrRequestTimeout
	case errors.Is(err, io.ErrUnexpectedEOF) || r.Context().Err() != nil:
		return errClientDisconnected
	}
	return badRequestError("the body cannot be read")
}
