package restapi

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

// The codes that the server itself raises.
const (
	CodeBadRequest   = "bad_request"
	CodeUnauthorized = "unauthorized"
	CodeForbidden    = "forbidden"
	CodeBusy         = engine.CodeBusy
	CodeTimeout      = "timeout"
	CodeInternal     = "internal"
	// CodeClientGone is for log, metrics and spans: the client closed the
	// connection before its response.
	CodeClientGone = "client_gone"
)

// statusClientGone is what nginx and others count such requests under.
const statusClientGone = 499

// Error is an error of the server. It marshals to the wire shape.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error is the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *Error) ErrorCode() string { return e.Code }

func badRequest(message string) error { return &Error{CodeBadRequest, message} }

// panicked is a panic on its way to becoming a response.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprint("panic: ", p.value) }

// codeOf is the code of an error, as its answer would have it.
func codeOf(err error) string {
	var coded engine.Coded
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return CodeInternal
}

// CodeInfo describes one code of the server.
type CodeInfo struct {
	Code   string
	Status int
	When   string
	Since  string
}

// Codes returns the registry of the server's codes in the order of the
// documentation. The slice is the caller's own.
func Codes() []CodeInfo {
	return []CodeInfo{
		{CodeBadRequest, 400, "malformed JSON, an unknown dialect, an unknown route or method, a body over the limit", "0.1.0"},
		{CodeUnauthorized, 401, "the bearer token is missing or wrong", "0.1.0"},
		{CodeForbidden, 403, "an execution was asked of a server that only compiles, or a web page of another site sent the request", "0.1.0"},
		{CodeBusy, 429, "all slots for executions, all for validations, or all connections, are taken; Retry-After says when to come back", "0.1.0"},
		{CodeTimeout, 504, "the request was not answered within its budget", "0.1.0"},
		{CodeClientGone, statusClientGone, "the client closed the connection before the response; it is in the log and the metrics only", "0.1.0"},
		{CodeInternal, 500, "an unexpected failure of the server", "0.1.0"},
	}
}

// Status is the HTTP status of a code, whichever stage raised it. A code that
// is not listed rejects the request: that is what the codes of the compile and
// plan stages do.
func Status(code string) int {
	switch code {
	case CodeUnauthorized:
		return fiber.StatusUnauthorized
	case CodeForbidden:
		return fiber.StatusForbidden
	case CodeBusy:
		return fiber.StatusTooManyRequests
	case CodeInternal:
		return fiber.StatusInternalServerError
	case "not_implemented":
		return fiber.StatusNotImplemented
	case "connection", "auth", "sql_rejected", "driver":
		return fiber.StatusBadGateway
	case CodeTimeout:
		return fiber.StatusGatewayTimeout
	case CodeClientGone:
		return statusClientGone
	}
	return fiber.StatusBadRequest
}

// problem answers with the envelope of an error. It is the one place where
// responses that are no success are made.
//
// The HTTP library calls it as well, for requests that never became one: those
// begin and end here.
func (s *Server) problem(c *fiber.Ctx, err error) error {
	x := exchangeOf(c.Context())
	if x == nil && madeRoom(c.Context().Conn()) {
		return nil // the server itself has closed the connection
	}
	if x == nil {
		x = s.begin(c.Context())
		defer func() { x.finish(requestID(c), c.Response().StatusCode(), ending{}) }()
	}
	secureHeaders(c)
	status, coded := s.classify(c, err)
	x.code = coded.ErrorCode()
	if status == fiber.StatusTooManyRequests {
		c.Set(fiber.HeaderRetryAfter, "1")
	}
	if status == fiber.StatusUnauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, "Bearer")
	}
	body, err := engine.MarshalWire(map[string]json.RawMessage{"error": s.wire(coded)})
	if err != nil {
		body = []byte(`{"error":{"code":"internal","message":"the error could not be written"}}`)
	}
	return sendJSON(c, status, body)
}

func (s *Server) wire(coded engine.Coded) json.RawMessage {
	text, err := engine.MarshalWire(coded)
	if err != nil {
		s.config.Logger.Error("an error that cannot be written", "code", coded.ErrorCode())
		return json.RawMessage(`{"code":"internal","message":"the error could not be written"}`)
	}
	return text
}

// classify finds an error's code and status. Errors of the router have a status
// of their own; what has neither is a defect.
func (s *Server) classify(c *fiber.Ctx, err error) (int, engine.Coded) {
	var coded engine.Coded
	if errors.As(err, &coded) {
		return Status(coded.ErrorCode()), coded
	}
	var routing *fiber.Error
	if errors.As(err, &routing) && routing.Code == fiber.StatusBadGateway { // the library's word for a broken connection
		return statusClientGone, errGone
	}
	if errors.As(err, &routing) && routing.Code < fiber.StatusInternalServerError {
		if routing.Code == fiber.StatusRequestEntityTooLarge {
			lingerOn(c.Context().Conn())
			if c.Request().Header.ContentLength() == refusedLength && !s.auth.permits(c) {
				return fiber.StatusUnauthorized, errUnauthorized
			}
		}
		return routing.Code, &Error{CodeBadRequest, s.routingMessage(c, routing)}
	}
	id := requestID(c)
	var p *panicked
	if errors.As(err, &p) {
		s.metrics.panics.Inc()
		s.defect(exchangeOf(c.Context()).ctx, "a panic while answering", id, p.value, string(p.stack))
	} else {
		s.defect(exchangeOf(c.Context()).ctx, "a failure while answering", id, err, "")
	}
	return fiber.StatusInternalServerError, &Error{CodeInternal, "the server failed at this request; its id is " + id}
}

func (s *Server) routingMessage(c *fiber.Ctx, e *fiber.Error) string {
	switch e.Code {
	case fiber.StatusNotFound:
		return "there is nothing at " + clip(string(c.Request().URI().PathOriginal()))
	case fiber.StatusMethodNotAllowed:
		return clip(string(c.Request().URI().PathOriginal())) + " does not take " + clip(string(c.Request().Header.Method()))
	case fiber.StatusRequestEntityTooLarge:
		return "the body is longer than the limit of " + itoa(s.config.MaxBodyBytes) + " bytes"
	}
	return clip(e.Message)
}
