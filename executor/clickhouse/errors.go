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
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// Numbers from the server's list of error codes.
const (
	logicalError         = 49
	cannotReadAll        = 33
	fileDoesNotExist     = 107
	cannotWrite          = 75
	unknownDatabase      = 81
	unknownSetting       = 115
	timeoutExceeded      = 159
	tooSlow              = 160
	unknownUser          = 192
	wrongPassword        = 193
	requiredPassword     = 194
	addressNotAllowed    = 195
	quotaExceeded        = 201
	tooManyQueries       = 202
	noFreeConnection     = 203
	socketTimeout        = 209
	networkError         = 210
	aborted              = 236
	memoryLimit          = 241
	notEnoughSpace       = 243
	allConnectionsFailed = 279
	databaseDenied       = 291
	queryCancelled       = 394
	accessDenied         = 497
	authenticationFailed = 516
	keeperException      = 999
)

// exception is the server's report of a failure.
type exception struct {
	code int
	text string
}

func (e *exception) Error() string { return "code " + strconv.Itoa(e.code) + ": " + e.text }

// complaint matches the text of an exception. The server's version follows the text, and in the
// middle of a stream a length and a tag follow it.
var (
	complaint = regexp.MustCompile(`Code: (\d+)\. DB::Exception: `)
	relayed   = regexp.MustCompile(`Received from \S+?\. (DB::Exception: )?`)
	version   = regexp.MustCompile(`\s*\(version [0-9][^\n]*`)
	executing = regexp.MustCompile(`(?s): (?:While|while) executing .*(\. \([A-Z_0-9]+\))`)
	account   = regexp.MustCompile(`^[^\s:]+: (Not enough privileges)`)
)

// readException finds an exception in a text.
func readException(text []byte) (*exception, bool) {
	at := complaint.FindSubmatchIndex(text)
	if at == nil {
		return nil, false
	}
	// A number that is too large matches no case.
	code, _ := strconv.Atoi(string(text[at[2]:at[3]]))
	words := string(bytes.ToValidUTF8(text[at[1]:], []byte("\uFFFD")))
	if end := version.FindStringIndex(words); end != nil {
		words = words[:end[0]]
	}
	words = executing.ReplaceAllString(words, "$1")
	words = relayed.ReplaceAllString(words, "")
	words = account.ReplaceAllString(words, "$1")
	return &exception{code, strings.TrimSpace(words)}, true
}

// classifyTransport names the failure of a request that got no answer.
func classifyTransport(err error) error {
	var own *executor.Error
	var dial *dialError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &dial):
		return execerr.Connection(dial.err)
	default:
		return execerr.Connection(err)
	}
}

// classifyResponse returns the error for a response that reports a failure.
func (e *Executor) classifyResponse(r *http.Response, body []byte) error {
	if x, ok := readException(body); ok {
		return e.classifyException(x)
	}
	status := "HTTP status " + strconv.Itoa(r.StatusCode)
	if code, err := strconv.Atoi(r.Header.Get(codeHeader)); err == nil {
		return e.classifyException(&exception{code, status})
	}
	switch r.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return execerr.Auth(status, nil)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no statements now (" + status + ")"}
	default:
		return execerr.Config("the server at the address of the connection is not ClickHouse ("+status+")", nil)
	}
}

// classifyTail returns the error for a stream that ends with this text. A cause of nil or
// io.EOF means that the server closed the stream itself.
func (e *Executor) classifyTail(tail []byte, cause error) error {
	var own *executor.Error
	if errors.As(cause, &own) {
		return own
	}
	if x, ok := readException(tail); ok {
		return e.classifyException(x)
	}
	if cause == nil {
		cause = io.ErrUnexpectedEOF
	}
	return execerr.ConnectionLost(cause)
}

func (e *Executor) classifyException(x *exception) error {
	number := "code " + strconv.Itoa(x.code)
	text := x.text + " (" + number + ")"
	switch x.code {
	case unknownUser, wrongPassword, requiredPassword, addressNotAllowed, databaseDenied, authenticationFailed:
		return execerr.Auth(number, x)
	case unknownDatabase:
		if e.options.Database != "" && strings.Contains(x.text, e.options.Database) {
			return execerr.Config("the database of the connection profile does not exist ("+number+")", x)
		}
	case timeoutExceeded, tooSlow:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + text, Err: x}
	case quotaExceeded, tooManyQueries, noFreeConnection, allConnectionsFailed:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse has no room for the statement: " + text, Err: x}
	case logicalError, cannotReadAll, fileDoesNotExist, cannotWrite, socketTimeout, networkError, aborted, memoryLimit,
		notEnoughSpace, queryCancelled, keeperException:
		return execerr.Driver("the warehouse gave the statement up: "+text, x)
	}
	if x.code == accessDenied {
		return execerr.Denied(text, x)
	}
	return execerr.Rejected(text, x)
}
