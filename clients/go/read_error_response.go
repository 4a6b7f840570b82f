package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Error is an error response of the server, or of a program on the way to it.
type Error struct {
	// Code is the stable code of the error. It is empty if the response did not
	// come from the service but, say, from a proxy; HTTPStatus and an excerpt in
	// Message then describe the response.
	Code    string `json:"code"`
	Message string `json:"message"` // for people; its text may change
	// Location is the place of the cause in the model.
	Location   string   `json:"location,omitempty"`
	Metrics    []string `json:"metrics,omitempty"`    // that the error is about
	Candidates []string `json:"candidates,omitempty"` // that would be valid, nearest first
	// SuggestedRetry is a rewrite that would succeed: a JSON fragment of the
	// query, which Apply merges, or words.
	SuggestedRetry string `json:"suggested_retry,omitempty"`
	Hint           string `json:"hint,omitempty"`
	// SQLState, Ossie and Position are of a statement in SQL: the SQLSTATE, the code of the draft of the
	// model format, and the position of the problem, in characters from 1.
	SQLState string `json:"sqlstate,omitempty"`
	Ossie    string `json:"ossie,omitempty"`
	Position int    `json:"position,omitempty"`

	HTTPStatus int    `json:"-"`
	RequestID  string `json:"-"` // of the request in the server's log
	// RetryAfter is the time to wait before a retry, 0 if the response has none.
	RetryAfter time.Duration `json:"-"`

	err error // why the response could not be read
}

// Error returns the code, or the HTTP status, and the message.
func (e *Error) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("HTTP %d: %s", e.HTTPStatus, e.Message)
	}
	return e.Code + ": " + e.Message
}

// Unwrap returns the error that kept the response from being read to its end, such as
// that of a context that has ended.
func (e *Error) Unwrap() error { return e.err }

// maxErrorBytes bounds the bytes that are read of an error response.
const maxErrorBytes = 1 << 20

// readErrorResponse reads the response as an error and closes it.
func readErrorResponse(res *http.Response) *Error {
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxErrorBytes))
	e := parseErrorEnvelope(text)
	if e == nil || res.StatusCode < http.StatusBadRequest {
		e = &Error{Message: describeNonServiceResponse(res, text), err: err}
	}
	e.HTTPStatus = res.StatusCode
	e.RequestID = res.Header.Get("X-Request-Id")
	e.RetryAfter = parseRetryAfter(res)
	return e
}

// parseErrorEnvelope returns the error of the contract, or nil.
func parseErrorEnvelope(text []byte) *Error {
	var wire struct {
		Error *Error `json:"error"`
	}
	ours := json.Unmarshal(text, &wire) == nil && wire.Error != nil && wire.Error.Code != ""
	if !ours {
		return nil
	}
	return wire.Error
}

// describeNonServiceResponse describes a response that is not the service's.
func describeNonServiceResponse(res *http.Response, text []byte) string {
	const most = 200
	shown := []rune(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(string(text), "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " "))
	if len(shown) > most {
		shown = append(shown[:most], '…')
	}
	kind := res.Header.Get("Content-Type")
	if kind == "" {
		kind = "no content type"
	}
	return fmt.Sprintf("a response that is not the service's (%s, %s): %s", http.StatusText(res.StatusCode), kind, string(shown))
}

// parseRetryAfter reads seconds or a date. Without one it returns a second for a 429, and else 0.
func parseRetryAfter(res *http.Response) time.Duration {
	text := res.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	if res.StatusCode == http.StatusTooManyRequests {
		return time.Second
	}
	return 0
}
