package restapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

var openAPIRequestIDHeader = openapi.Header{Name: headerRequestID, Description: "The id of the request: the one that you sent, if it is well-formed."}

var openAPIQueryIDHeader = openapi.Header{Name: headerQueryID, Description: "The id of the query, which the server's log and the warehouse have too."}

// successHeaders returns the headers of a success. A failure has the second where the query could be read.
func (o openAPIOperation) successHeaders() []openapi.Header {
	if o.group == openAPIOperationGroupMetrics || o.group == openAPIOperationGroupRows {
		return []openapi.Header{openAPIRequestIDHeader, openAPIQueryIDHeader}
	}
	return []openapi.Header{openAPIRequestIDHeader}
}

func (o openAPIOperation) successResponses() []openapi.Response {
	answer := openapi.Response{
		Status: http.StatusOK, Description: "The response.", Type: o.responseType, Media: o.media,
		Headers: o.successHeaders(),
	}
	if o.streams {
		answer.Description = "The rows: JSON, or an Arrow IPC stream if Accept names its media type. " +
			"The schema of the stream has dialect and sql in its metadata. A failure in the middle of the stream ends the body early, without the end-of-stream marker."
		answer.Media, answer.Binary = engine.ArrowStreamType, true
	}
	return []openapi.Response{answer}
}

// failureResponses returns the statuses that a route can answer with, each with its codes.
func (d openAPIWriter) failureResponses(r route, o openAPIOperation) []openapi.FailureStatusWithCodes {
	byStatus := map[int][]string{}
	add := func(status int, codes ...string) {
		for _, c := range codes {
			if !slices.Contains(byStatus[status], c) {
				byStatus[status] = append(byStatus[status], c)
			}
		}
	}
	add(fiber.StatusBadRequest, CodeBadRequest)
	add(fiber.StatusInternalServerError, CodeInternal)
	for _, c := range o.codes {
		add(StatusOfCode(c), c)
	}
	if !r.public {
		add(fiber.StatusGatewayTimeout, CodeTimeout)
		add(fiber.StatusTooManyRequests, CodeRateLimited)
		if d.config.secured() {
			add(fiber.StatusUnauthorized, CodeUnauthorized)
		}
	}
	if o.requestType != nil {
		add(fiber.StatusRequestEntityTooLarge, CodeBadRequest)
	}
	if r.executes || r.mayExecute || d.roles && !r.public || !d.config.secured() && !slices.Contains(healthProbePaths, r.path) {
		add(fiber.StatusForbidden, CodeForbidden)
	}
	if d.several && !r.process {
		add(fiber.StatusNotFound, CodeUnknownModel)
	}
	if r.executes || r.mayExecute {
		add(fiber.StatusTooManyRequests, CodeBusy)
	}
	if r.executes || o.requestType != nil {
		add(fiber.StatusBadRequest, CodeMemoryLimit)
		add(fiber.StatusTooManyRequests, CodeMemoryLimit)
	}
	known := map[string]openapi.CodeDescription{}
	for _, c := range allErrorCodes() {
		known[c.Name] = c
	}
	var out []openapi.FailureStatusWithCodes
	for status, codes := range byStatus {
		f := openapi.FailureStatusWithCodes{Status: status, Description: d.describeStatus(status, r), Headers: []openapi.Header{openAPIRequestIDHeader}}
		for _, c := range codes {
			f.Codes = append(f.Codes, known[c])
		}
		switch status {
		case fiber.StatusTooManyRequests:
			f.Headers = append(f.Headers, openapi.Header{Name: fiber.HeaderRetryAfter, Description: "Seconds to wait before the next request."})
		case fiber.StatusUnauthorized:
			f.Headers = append(f.Headers, openapi.Header{Name: fiber.HeaderWWWAuthenticate, Description: "The scheme, Bearer."})
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b openapi.FailureStatusWithCodes) int { return a.Status - b.Status })
	return out
}

// forbiddenReason returns why a route of this server may be forbidden.
func (d openAPIWriter) forbiddenReason(r route) string {
	var why []string
	if r.executes || r.mayExecute {
		why = append(why, "The server only compiles: it was started with --disable-execute.")
	}
	if !d.config.secured() {
		why = append(why, "A web page of another site sent the request: the server has no token, and --cors-origins does not list the page's origin.")
	}
	if d.roles && !r.public {
		why = append(why, "The policies refuse it: the caller has no known role, or lacks an attribute that its roles read, or the response needs the grant sql.")
	}
	return strings.Join(why, " Or: ")
}

// describeStatus describes the meaning of a status on a route.
func (d openAPIWriter) describeStatus(status int, r route) string {
	switch status {
	case fiber.StatusBadRequest:
		return "The request is invalid: the error describes the problem, and often a valid request."
	case fiber.StatusUnauthorized:
		return "The bearer token is missing or wrong."
	case fiber.StatusForbidden:
		return d.forbiddenReason(r)
	case fiber.StatusNotFound:
		return "The server has no model with the name in the path, or no default model."
	case fiber.StatusRequestEntityTooLarge:
		return "The body is longer than " + strconv.Itoa(d.config.MaxBodyBytes) + " bytes."
	case fiber.StatusTooManyRequests:
		return "All execution slots are in use, or the caller has sent more requests than its quota allows. Retry-After is the time to wait."
	case fiber.StatusNotImplemented:
		return "The query fits the model, but the engine does not support it."
	case fiber.StatusBadGateway:
		return "The warehouse cannot be reached, rejects the statement, or fails."
	case fiber.StatusGatewayTimeout:
		return "The request took longer than " + d.config.timeBudgetOfRoute(r).Round(time.Millisecond).String() + "."
	}
	return "An internal error. The message has the id of the request, and the log has the details."
}
