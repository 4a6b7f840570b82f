package restapi

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/identity"
)

// handleError responds with the envelope of an error. It is the only place that writes
// error responses.
//
// The HTTP library calls it as well, for requests that never became one: those
// begin and end here.
func (s *Server) handleError(c *fiber.Ctx, err error) error {
	x := requestRecordOf(c.Context())
	if x == nil && isClosedToMakeRoom(c.Context().Conn()) {
		return nil // the server itself has closed the connection
	}
	if x == nil {
		x = s.startRequestRecord(c.Context())
		defer func() { x.writeToMetricsLogAndSpan(requestID(c), c.Response().StatusCode(), streamOutcome{}) }()
	}
	setSecurityHeaders(c)
	if refused := refusedBodyError(c.Context().Conn()); refused != nil {
		err = refused
	}
	status, coded := s.classifyError(c, err)
	x.code, x.message = coded.ErrorCode(), engine.AuditMessage(coded)
	if status == fiber.StatusTooManyRequests {
		c.Set(fiber.HeaderRetryAfter, retryAfterSeconds(err))
	}
	if status == fiber.StatusUnauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, s.challenge(c))
	}
	body, err := engine.MarshalWireJSON(map[string]json.RawMessage{"error": s.marshalError(coded)})
	if err != nil {
		body = []byte(`{"error":{"code":"internal","message":"the error could not be written"}}`)
	}
	return sendJSON(c, status, body)
}

// retryAfterSeconds returns the time after which a client may try again.
func retryAfterSeconds(err error) string {
	var limited *identity.RateLimitedError
	if errors.As(err, &limited) {
		return strconv.Itoa(limited.RetryAfter)
	}
	return "1"
}

func (s *Server) marshalError(coded engine.CodedError) json.RawMessage {
	text, err := engine.MarshalWireJSON(coded)
	if err != nil {
		s.config.Logger.Error("an error that cannot be written", "code", coded.ErrorCode())
		return json.RawMessage(`{"code":"internal","message":"the error could not be written"}`)
	}
	return text
}

// classifyError returns an error's code and status. Errors of the router carry a status; an
// error with neither a code nor a status is an internal error.
func (s *Server) classifyError(c *fiber.Ctx, err error) (int, engine.CodedError) {
	var coded engine.CodedError
	if errors.As(err, &coded) {
		return statusOfError(coded), coded
	}
	var routing *fiber.Error
	if errors.As(err, &routing) && routing.Code == fiber.StatusBadGateway { // the library's word for a broken connection
		return statusClientGone, errClientDisconnected
	}
	if errors.As(err, &routing) && routing.Code < fiber.StatusInternalServerError {
		if routing.Code == fiber.StatusRequestEntityTooLarge {
			enableLingeringClose(c.Context().Conn())
			if c.Request().Header.ContentLength() == bodyLengthMarkingRejection && !s.permitsRequest(c) {
				return fiber.StatusUnauthorized, errUnauthorized
			}
		}
		return routing.Code, &Error{CodeBadRequest, s.routingErrorMessage(c, routing)}
	}
	id := requestID(c)
	var p *panicError
	if errors.As(err, &p) {
		s.metrics.panics.Inc()
		s.logInternalError(requestRecordOf(c.Context()).ctx, "a panic while answering", id, p.value, string(p.stack))
	} else {
		s.logInternalError(requestRecordOf(c.Context()).ctx, "a failure while answering", id, err, "")
	}
	return fiber.StatusInternalServerError, &Error{CodeInternal, "the server failed at this request; its id is " + id}
}

func (s *Server) routingErrorMessage(c *fiber.Ctx, e *fiber.Error) string {
	switch e.Code {
	case fiber.StatusNotFound:
		return "there is nothing at " + truncateForMessage(requestedPath(c))
	case fiber.StatusMethodNotAllowed:
		return truncateForMessage(requestedPath(c)) + " does not take " + truncateForMessage(string(c.Request().Header.Method()))
	case fiber.StatusRequestEntityTooLarge:
		return "the body is longer than the limit of " + strconv.Itoa(s.config.MaxBodyBytes) + " bytes"
	}
	return truncateForMessage(e.Message)
}

// requestedPath returns the path of a request as its client wrote it, below the path that the server
// is mounted at.
func requestedPath(c *fiber.Ctx) string {
	path := string(c.Request().URI().PathOriginal())
	if x := requestRecordOf(c.Context()); x != nil {
		path = x.choice.pathPrefix() + path
	}
	return path
}
