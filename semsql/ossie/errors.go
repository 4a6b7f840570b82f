package ossie

import (
	"errors"

	"github.com/semlayer/semlayer/planner/planerr"
)

// The codes of the profile that a call can fail with.
const (
	CodeInvalidArgument        = "INVALID_ARGUMENT"            // the arguments are not a query of the profile
	CodeQueryInvalid           = "QUERY_INVALID"               // a text is not an expression
	CodeUnsupportedQuery       = "UNSUPPORTED_QUERY"           // the query has a meaning, and the engine cannot compute it
	CodeSourceUnavailable      = "SOURCE_UNAVAILABLE"          // data_source_id is not that of the served model
	CodePermissionDenied       = "PERMISSION_DENIED"           // the server does not execute queries
	CodeTimeout                = "TIMEOUT"                     // the query ran out of time
	CodeResourceLimit          = "RESOURCE_LIMIT"              // no slot is free, or the result is too large
	CodeBackendError           = "BACKEND_ERROR"               // every other failure
	CodeNameNotFound           = "E_NAME_NOT_FOUND"            // the model has no object of that name
	CodeNoPath                 = "E_NO_PATH"                   // no relationships connect the datasets
	CodeAmbiguousPath          = "E_AMBIGUOUS_PATH"            // several paths of relationships connect them
	CodeMixedQueryShape        = "E_MIXED_QUERY_SHAPE"         // fields are beside dimensions or measures
	CodeEmptyScalarQuery       = "E_EMPTY_SCALAR_QUERY"        // fields is empty
	CodeEmptyAggregationQuery  = "E_EMPTY_AGGREGATION_QUERY"   // the query has no dimensions, measures or fields
	CodeAggregateInScalarQuery = "E_AGGREGATE_IN_SCALAR_QUERY" // fields has a metric or an aggregate
)

// The capabilities that UNSUPPORTED_QUERY names.
const (
	MissingCapabilityNullsFirst          = "nulls_first"         // NULL before other values
	MissingCapabilityOrderByUnselected   = "order_by_unselected" // an order key that is not selected
	MissingCapabilityHavingUnselected    = "having_unselected"   // a condition on a measure that is not selected
	MissingCapabilityAmbiguousScalarRoot = "scalar_root"         // fields that the rows of several datasets reach
)

// Error reports why a query is not answered.
type Error struct {
	Code    string // of the profile
	Message string
	// OwnCode is the code of the engine; "" where only the profile has one.
	OwnCode string
	// Capability is what UNSUPPORTED_QUERY misses; "" where the message names it.
	Capability string
	// Candidates are names that could be meant.
	Candidates []string
	// Advice is what to do, in words; "" where there is none.
	Advice string
	// Replacement is a whole query that can be sent instead; nil where there is none.
	Replacement *Query

	retryable bool // as the error of the engine reports it
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the code of the profile.
func (e *Error) ErrorCode() string { return e.Code }

// Retryable reports whether the same call can succeed later.
func (e *Error) Retryable() bool {
	return e.Code == CodeTimeout || e.OwnCode == engineCodeBusy || e.retryable
}

// The codes of the engine that no registry of the planner holds.
const (
	engineCodeBusy        = "busy"
	engineCodeForbidden   = "forbidden"
	engineCodeMemoryLimit = "memory_limit"
	engineCodeTimeout     = "timeout"
)

// profileCodesByEngineCode are the codes of the profile for codes of the engine; others are BACKEND_ERROR.
var profileCodesByEngineCode = map[string]string{
	planerr.CodeUnknownMetric:         CodeNameNotFound,
	planerr.CodeUnknownDimension:      CodeNameNotFound,
	planerr.CodeNoJoinPath:            CodeNoPath,
	planerr.CodeAmbiguousJoinPath:     CodeAmbiguousPath,
	planerr.CodeUnsupportedFilter:     CodeUnsupportedQuery,
	planerr.CodeUnsupportedExpression: CodeUnsupportedQuery,
	planerr.CodeNotImplemented:        CodeUnsupportedQuery,
	engineCodeTimeout:                 CodeTimeout,
	engineCodeBusy:                    CodeResourceLimit,
	engineCodeMemoryLimit:             CodeResourceLimit,
	engineCodeForbidden:               CodePermissionDenied,
}

// FromEngineError returns an error of the profile for an error of the engine with a code.
func FromEngineError(err interface {
	error
	ErrorCode() string
}) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	out := &Error{Code: profileCodesByEngineCode[err.ErrorCode()], OwnCode: err.ErrorCode(), Message: err.Error()}
	if out.Code == "" {
		out.Code = CodeBackendError
	}
	var later interface{ Retryable() bool }
	out.retryable = errors.As(err, &later) && later.Retryable()
	var refused *planerr.Error
	if errors.As(err, &refused) {
		out.Message, out.Candidates = refused.Message, refused.Candidates
	}
	return out
}

func newInvalidArgumentError(message string) *Error {
	return &Error{Code: CodeInvalidArgument, OwnCode: planerr.CodeBadRequest, Message: message}
}

func newUnsupportedQueryError(capability, message string) *Error {
	return &Error{Code: CodeUnsupportedQuery, OwnCode: planerr.CodeNotImplemented, Capability: capability, Message: message}
}
