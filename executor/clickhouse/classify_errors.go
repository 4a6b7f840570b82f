package clickhouse

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Numbers from the server's list of error codes.
const (
	exceptionLogicalError         = 49
	exceptionCannotReadAllData    = 33
	exceptionFileDoesNotExist     = 107
	exceptionCannotWrite          = 75
	exceptionUnknownDatabase      = 81
	exceptionUnknownSetting       = 115
	exceptionTimeoutExceeded      = 159
	exceptionTooSlow              = 160
	exceptionUnknownUser          = 192
	exceptionWrongPassword        = 193
	exceptionRequiredPassword     = 194
	exceptionAddressNotAllowed    = 195
	exceptionQuotaExceeded        = 201
	exceptionTooManyQueries       = 202
	exceptionNoFreeConnection     = 203
	exceptionSocketTimeout        = 209
	exceptionNetworkError         = 210
	exceptionAborted              = 236
	exceptionMemoryLimit          = 241
	exceptionNotEnoughSpace       = 243
	exceptionAllConnectionsFailed = 279
	exceptionDatabaseAccessDenied = 291
	exceptionQueryCancelled       = 394
	exceptionAccessDenied         = 497
	exceptionAuthenticationFailed = 516
	exceptionKeeper               = 999
)

// serverException is the server's report of a failure.
type serverException struct {
	code int
	text string
}

func (e *serverException) Error() string { return "code " + strconv.Itoa(e.code) + ": " + e.text }

// exceptionPattern matches the text of an exception. The server's version follows the text, and in the
// middle of a stream a length and a tag follow it.
var (
	exceptionPattern              = regexp.MustCompile(`Code: (\d+)\. DB::Exception: `)
	receivedFromHostPattern       = regexp.MustCompile(`Received from \S+?\. (DB::Exception: )?`)
	versionSuffixInMessagePattern = regexp.MustCompile(`\s*\(version [0-9][^\n]*`)
	whileExecutingPattern         = regexp.MustCompile(`(?s): (?:While|while) executing .*(\. \([A-Z_0-9]+\))`)
	accountPrefixPattern          = regexp.MustCompile(`^[^\s:]+: (Not enough privileges)`)
)

// parseException finds an exception in a text.
func parseException(text []byte) (*serverException, bool) {
	at := exceptionPattern.FindSubmatchIndex(text)
	if at == nil {
		return nil, false
	}
	// A number that is too large matches no case.
	code, _ := strconv.Atoi(string(text[at[2]:at[3]]))
	words := string(bytes.ToValidUTF8(text[at[1]:], []byte("\uFFFD")))
	if end := versionSuffixInMessagePattern.FindStringIndex(words); end != nil {
		words = words[:end[0]]
	}
	words = whileExecutingPattern.ReplaceAllString(words, "$1")
	words = receivedFromHostPattern.ReplaceAllString(words, "")
	words = accountPrefixPattern.ReplaceAllString(words, "$1")
	return &serverException{code, strings.TrimSpace(words)}, true
}

// classifyTransportError names the failure of a request that got no answer.
func classifyTransportError(err error) error {
	var own *executor.Error
	var dial *dialError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &dial):
		return driver.ConnectionError(dial.err)
	default:
		return driver.ConnectionError(err)
	}
}

// classifyFailedResponse returns the error for a response that reports a failure.
func (e *Executor) classifyFailedResponse(r *http.Response, body []byte) error {
	if x, ok := parseException(body); ok {
		return e.classifyException(x)
	}
	status := "HTTP status " + strconv.Itoa(r.StatusCode)
	if code, err := strconv.Atoi(r.Header.Get(exceptionCodeHeader)); err == nil {
		return e.classifyException(&serverException{code, status})
	}
	switch r.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return driver.AuthError(status, nil)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no statements now (" + status + ")"}
	default:
		return driver.ConfigError("the server at the address of the connection is not ClickHouse ("+status+")", nil)
	}
}

// classifyStreamEnd returns the error for a stream that ends with this text. A cause of nil or
// io.EOF means that the server closed the stream itself.
func (e *Executor) classifyStreamEnd(tail []byte, cause error) error {
	var own *executor.Error
	if errors.As(cause, &own) {
		return own
	}
	if x, ok := parseException(tail); ok {
		return e.classifyException(x)
	}
	if cause == nil {
		cause = io.ErrUnexpectedEOF
	}
	return driver.ConnectionLostError(cause)
}

func (e *Executor) classifyException(x *serverException) error {
	number := "code " + strconv.Itoa(x.code)
	text := x.text + " (" + number + ")"
	switch x.code {
	case exceptionUnknownUser, exceptionWrongPassword, exceptionRequiredPassword, exceptionAddressNotAllowed, exceptionDatabaseAccessDenied, exceptionAuthenticationFailed:
		return driver.AuthError(number, x)
	case exceptionUnknownDatabase:
		if e.options.Database != "" && strings.Contains(x.text, e.options.Database) {
			return driver.ConfigError("the database of the connection profile does not exist ("+number+")", x)
		}
	case exceptionTimeoutExceeded, exceptionTooSlow:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + text, Err: x}
	case exceptionQuotaExceeded, exceptionTooManyQueries, exceptionNoFreeConnection, exceptionAllConnectionsFailed:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse has no room for the statement: " + text, Err: x}
	case exceptionLogicalError, exceptionCannotReadAllData, exceptionFileDoesNotExist, exceptionCannotWrite, exceptionSocketTimeout, exceptionNetworkError, exceptionAborted, exceptionMemoryLimit,
		exceptionNotEnoughSpace, exceptionQueryCancelled, exceptionKeeper:
		return driver.DriverFailureError("the warehouse aborted the statement: "+text, x)
	}
	if x.code == exceptionAccessDenied {
		return driver.DeniedError(text, x)
	}
	return driver.SQLRejectedError(text, x)
}
