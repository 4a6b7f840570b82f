package executor

import (
	"errors"
	"net/url"
)

// Error is the failure of the execute stage. It marshals to the wire shape
// {code, message, candidates?, suggested_retry?, hint?}.
//
// Message may quote the warehouse's own words about the statement; it never
// holds a secret or the address of a host. Hint is a sentence about what would
// help, or empty. Err is the cause for errors.Is and errors.As; it stays off
// the wire and may name hosts, so it belongs in no response.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Candidates are the connections of which one may have what the statement reads, and SuggestedRetry is a
	// patch of the query that names one. Drivers leave both empty.
	Candidates     []string `json:"candidates,omitempty"`
	SuggestedRetry string   `json:"suggested_retry,omitempty"`
	Hint           string   `json:"hint,omitempty"`
	Err            error    `json:"-"`
	// Denied reports that the account may not read a table or a column of the statement. Drivers set it
	// if the warehouse has an error code for that.
	Denied bool `json:"-"`
	// DiskFull reports, with CodeMemoryLimit, that the statement has used up the temporary space.
	DiskFull bool `json:"-"`
	// MissingTable is the name of the table that the database does not have. The driver of the embedded
	// database sets it.
	MissingTable string `json:"-"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code, one of those listed by Codes.
func (e *Error) ErrorCode() string { return e.Code }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.Err }

// CauseForLog returns the cause of the error, for the log of the operator, or empty. It may name hosts,
// users and databases, which a response must not, and no secret: drivers keep these out of their
// errors, and an address, which may hold a signature, is left out.
func (e *Error) CauseForLog() string {
	if e.Err == nil {
		return ""
	}
	var address *url.Error
	if errors.As(e.Err, &address) {
		return address.Err.Error()
	}
	return e.Err.Error()
}
