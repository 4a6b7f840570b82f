package restapi

import (
	"errors"
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
)

// The codes that the server itself raises.
const (
	CodeBadRequest   = "bad_request"
	CodeUnauthorized = "unauthorized"
	CodeForbidden    = "forbidden"
	CodeUnknownModel = "unknown_model"
	CodeBusy         = engine.CodeBusy
	CodeMemoryLimit  = engine.CodeMemoryLimit
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

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *Error) ErrorCode() string { return e.Code }

func badRequestError(message string) error { return &Error{CodeBadRequest, message} }

func requestTimeoutError(budget time.Duration) error {
	return &Error{CodeTimeout, fmt.Sprintf("the request exceeded its time limit of %s", budget)}
}

var errExecutionIsDisabled = &Error{CodeForbidden, "this server compiles queries and does not execute them"}

var errUnauthorized = &Error{CodeUnauthorized, "a valid bearer token is needed"}

// errClientDisconnected is for the log, the metrics and the spans: its response reaches no one.
var errClientDisconnected = &Error{CodeClientGone, "the client closed the connection before the response"}

// panicError is a panic on its way to becoming a response.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprint("panic: ", p.value) }

// errorCodeOf returns the code that the response to an error has.
func errorCodeOf(err error) string {
	var coded engine.CodedError
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
		{CodeForbidden, 403, "the server only compiles and got an execution, a web page of another site sent the request, or policies refuse it: the identity has no known role, lacks an attribute, or sees no SQL and no plans", "0.1.0"},
		{CodeUnknownModel, 404, "a path under /m/ names a model that the server does not have, or a path without /m/ needs a default model and there is none", "0.1.0"},
		{CodeRateLimited, 429, "the caller has sent more requests than its quota allows; Retry-After is the time to wait", "0.1.0"},
		{CodeBusy, 429, "all execution slots, all validation slots, or all connections are in use; Retry-After is the time to wait", "0.1.0"},
		{CodeMemoryLimit, 429, "other requests hold the share of memory that this one needs; Retry-After is the time to wait. With status 400 the request alone is too large: see the code of executing", "0.1.0"},
		{CodeTimeout, 504, "the request exceeded its time limit", "0.1.0"},
		{CodeClientGone, statusClientGone, "the client closed the connection before the response; it is in the log and the metrics only", "0.1.0"},
		{CodeInternal, 500, "an unexpected failure of the server", "0.1.0"},
	}
}

// statusOfError returns the HTTP status of an error: that of its code, except that memory which other requests hold
// is there again soon.
func statusOfError(err engine.CodedError) int {
	var limit *memory.LimitError
	if errors.As(err, &limit) && limit.HeldByOthers {
		return fiber.StatusTooManyRequests
	}
	return StatusOfCode(err.ErrorCode())
}

// StatusOfCode returns the HTTP status of a code of any stage. A code that is not listed has
// status 400, as the codes of the compile and plan stages do.
func StatusOfCode(code string) int {
	switch code {
	case CodeUnauthorized:
		return fiber.StatusUnauthorized
	case CodeForbidden:
		return fiber.StatusForbidden
	case CodeUnknownModel:
		return fiber.StatusNotFound
	case CodeBusy, CodeRateLimited:
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
