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
	// ConnectionLost reports, with CodeDriver, that the connection broke while the statement ran.
	ConnectionLost bool `json:"-"`
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

// The codes of the execute stage.
const (
	CodeConfig      = "config"
	CodeConnection  = "connection"
	CodeAuth        = "auth"
	CodeSQLRejected = "sql_rejected"
	CodeDriver      = "driver"
	CodeTimeout     = "timeout"
	CodeMemoryLimit = "memory_limit"
	CodeInternal    = "internal"
	// CodeResultTooLarge is raised above the drivers, which have no quotas.
	CodeResultTooLarge = "result_too_large"
	// CodeCostLimitExceeded is raised by warehouses that bill by the bytes that a statement reads.
	CodeCostLimitExceeded = "cost_limit_exceeded"
)

// CodeInfo describes one code: when it is raised, which optional fields of the
// error it may fill, and the release that introduced it.
type CodeInfo struct {
	Code   string
	When   string
	Extras []string
	Since  string
}

// Codes returns the registry of the execute stage in the order of the
// documentation. The slice is the caller's own.
func Codes() []CodeInfo {
	return []CodeInfo{
		{CodeConfig, "the connection profile is invalid: a bad URI, a database file that does not open, a missing driver option", []string{"hint"}, "0.1.0"},
		{CodeConnection, "the warehouse cannot be reached, or the connection broke before it was ready", []string{"hint"}, "0.1.0"},
		{CodeAuth, "the warehouse rejected the credentials", []string{"hint"}, "0.1.0"},
		{CodeSQLRejected, "the warehouse rejected the SQL; the message has the warehouse's own error. Where the embedded database is empty: candidates, the connections", []string{"candidates", "suggested_retry", "hint"}, "0.1.0"},
		{CodeDriver, "the driver failed after connecting, or a value cannot be converted", []string{"hint"}, "0.1.0"},
		{CodeTimeout, "the statement ran out of time, on the warehouse or in the service", []string{"hint"}, "0.1.0"},
		{CodeMemoryLimit, "the request alone needs more memory than its share, or the embedded DuckDB has no memory or no temporary space left for the statement", []string{"hint"}, "0.1.0"},
		{CodeResultTooLarge, "the result has more rows than the quota of the caller", []string{"metrics", "suggested_retry"}, "0.1.0"},
		{CodeCostLimitExceeded, "the warehouse would bill more bytes than bytes_billed of the caller, or max_bytes_billed of the connection, allows", []string{"metrics", "hint"}, "0.1.0"},
		{CodeInternal, "the statement for the embedded database is not exactly one SELECT that changes nothing, and was not run", nil, "0.1.0"},
	}
}
