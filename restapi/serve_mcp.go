package restapi

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine/memory"
)

// mcpExtraTime is the time that a message has beyond the budgets of the tools, so that the
// tool reports the timeout and not the server.
const mcpExtraTime = 2 * time.Second

// messageBytesFactor is what a byte of a message takes while it is decoded and checked against the schema of its tool, estimated.
const messageBytesFactor = 16

const mcpPath = "/mcp"

// mcpRoute receives the messages of Model.MCP. It is not in the table: its bodies are
// JSON-RPC, which the MCP server describes.
func mcpRoute() route {
	return route{method: fiber.MethodPost, path: mcpPath, summary: "tools for language models (Model Context Protocol)", handle: serveMCP}
}

// serveMCP passes a message to a net/http handler, and
// cancels it when its client disconnects.
func serveMCP(s *Server, c *fiber.Ctx, _ route) error {
	messages := modelOfRequest(c).MCP
	if messages == nil {
		return fiber.ErrNotFound
	}
	decoded, err := s.config.Memory.Part(memory.Plans).Reserve(messageBytesFactor * int64(len(c.BodyRaw())))
	if err != nil {
		return err
	}
	x := requestRecordOf(c.Context())
	id := x.assignQueryID()
	ctx, cancel := context.WithCancelCause(x.ctx)
	defer cancel(nil)
	r, err := copyToNetHTTPRequest(c)
	if err != nil {
		decoded.Release()
		return err
	}
	stop := s.disconnects.onDisconnect(c.Context().Conn(), func() { cancel(errClientDisconnected) })
	defer stop()
	budget := max(s.config.RequestTimeout, s.config.ExecuteTimeout) + mcpExtraTime
	a, err := runWithTimeout(ctx, budget, func(ctx context.Context) (*bufferedMCPResponse, error) {
		defer decoded.Release() // which may be after the time limit
		a := &bufferedMCPResponse{header: http.Header{}, status: http.StatusOK}
		messages.ServeHTTP(a, r.WithContext(context.WithValue(ctx, http.LocalAddrContextKey, r.Context().Value(http.LocalAddrContextKey))))
		return a, nil
	}, func(*bufferedMCPResponse) {})
	if x.phases.Load() > 0 { // most messages request no query
		x.setQueryID(c, id)
	}
	if ctx.Err() != nil {
		return errClientDisconnected
	}
	if err != nil {
		return err
	}
	if err := s.reserveResponse(x.ctx, a.body.Len()); err != nil {
		return err
	}
	return a.copyToResponse(c)
}

// copyToNetHTTPRequest copies a request, because its work may outlive the handler.
func copyToNetHTTPRequest(c *fiber.Ctx) (*http.Request, error) {
	local := context.WithValue(context.Background(), http.LocalAddrContextKey, c.Context().LocalAddr())
	target := mcpPath
	if given := c.Context().QueryArgs().QueryString(); len(given) > 0 {
		target += "?" + string(given)
	}
	r, err := http.NewRequestWithContext(local, strings.Clone(c.Method()), target, bytes.NewReader(bytes.Clone(c.BodyRaw())))
	if err != nil {
		return nil, badRequestError("the request cannot be read")
	}
	r.Host = string(c.Context().Host())
	r.RemoteAddr = c.Context().RemoteAddr().String()
	for name, value := range c.Request().Header.All() {
		r.Header.Add(string(name), string(value))
	}
	return r, nil
}

// bufferedMCPResponse collects a response.
type bufferedMCPResponse struct {
	header http.Header
	status int
	sealed bool // the status is set
	body   bytes.Buffer
}

// Header returns the headers, to be changed before the first byte.
func (a *bufferedMCPResponse) Header() http.Header { return a.header }

// WriteHeader sets the status, the first time that it is called.
func (a *bufferedMCPResponse) WriteHeader(status int) {
	if !a.sealed {
		a.status, a.sealed = status, true
	}
}

// Write adds to the body.
func (a *bufferedMCPResponse) Write(p []byte) (int, error) {
	a.sealed = true
	return a.body.Write(p)
}

// copyToResponse copies the response except for the headers that this server sets on every response.
func (a *bufferedMCPResponse) copyToResponse(c *fiber.Ctx) error {
	c.Status(a.status)
	for name, values := range a.header {
		switch name {
		case fiber.HeaderContentType:
			c.Response().Header.SetContentType(values[0])
		case fiber.HeaderCacheControl, fiber.HeaderConnection, fiber.HeaderContentLength, fiber.HeaderXContentTypeOptions:
		default:
			c.Response().Header.Set(name, strings.Join(values, ", "))
		}
	}
	c.Response().SetBodyRaw(a.body.Bytes())
	return nil
}
