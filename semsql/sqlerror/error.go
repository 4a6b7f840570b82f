package sqlerror

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Error marshals to the wire shape of the plan stage with sqlstate, ossie and position beside it.
type Error struct {
	Code           string   `json:"code"`
	Message        string   `json:"message"`
	Metrics        []string `json:"metrics,omitempty"`
	Candidates     []string `json:"candidates,omitempty"`
	SuggestedRetry string   `json:"suggested_retry,omitempty"`
	Hint           string   `json:"hint,omitempty"`

	SQLState string `json:"sqlstate"`
	Ossie    string `json:"ossie,omitempty"`    // the code of the Ossie draft for this error: E1206
	Position int    `json:"position,omitempty"` // in characters from 1; 0 for none

	// Statement is a statement that works instead; "" where none is known. SuggestedRetry holds it as
	// {"sql": …}.
	Statement string `json:"-"`

	// Unknown is the name that the error is about, if no column has it; Candidates can be ranked by it.
	Unknown *UnknownName `json:"-"`
}

// UnknownName is a name of a statement that no column has.
type UnknownName struct {
	Text string
	// IsMetric: only a metric can be in its place.
	IsMetric bool
	// ColumnsOf names the columns that show an object of the model in place of the name. One of the arguments is nil.
	ColumnsOf func(*catalog.Metric, *catalog.Field) []string
}

// New returns an error of a code with its usual SQLSTATE.
func New(code string, position int, message string) *Error {
	return &Error{Code: code, Message: message, SQLState: SQLStateOfCode(code), Position: position}
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *Error) ErrorCode() string { return e.Code }

// WithSQLState replaces the SQLSTATE: bad_request has several.
func (e *Error) WithSQLState(state string) *Error {
	e.SQLState = state
	return e
}

// WithOssieCode adds the code of the Ossie draft.
func (e *Error) WithOssieCode(code string) *Error {
	e.Ossie = code
	return e
}

// WithHint adds words that say what would work.
func (e *Error) WithHint(words string) *Error {
	e.Hint = words
	return e
}

// WithCandidates adds names that exist.
func (e *Error) WithCandidates(names []string) *Error {
	e.Candidates = names[:min(len(names), MaxCandidates)]
	return e
}

// WithMetrics adds the metrics that the error is about.
func (e *Error) WithMetrics(names ...string) *Error {
	e.Metrics = names
	return e
}

// WithSuggestedStatement adds a statement that works.
func (e *Error) WithSuggestedStatement(sql string) *Error {
	e.Statement = sql
	e.SuggestedRetry = ""
	if sql != "" {
		text, err := json.Marshal(struct {
			SQL string `json:"sql"`
		}{sql})
		if err == nil {
			e.SuggestedRetry = string(text)
		}
	}
	return e
}

// WithUnknownName adds the name that no column has.
func (e *Error) WithUnknownName(name *UnknownName) *Error {
	e.Unknown = name
	return e
}

// MaxCandidates bounds every list of alternatives.
const MaxCandidates = 20

// FromPlannerError returns the error of a statement for an error of the compile or plan stage. A retry that patches a query
// is left out, because a statement is not a query.
func FromPlannerError(err error, position int) error {
	var (
		own     *Error
		planned *planerr.Error
		model   *modelspec.CompileError
	)
	switch {
	case err == nil, errors.As(err, &own):
		return err
	case errors.As(err, &planned):
		// A statement has WHERE, and not the key of queries.
		e := New(planned.Code, position, strings.TrimPrefix(planned.Message, conditionKeyPrefix)).WithCandidates(planned.Candidates).WithMetrics(planned.Metrics...)
		if planned.Code != planerr.CodeFanOutRisk { // whose hint is a key of queries
			e = e.WithHint(planned.Hint)
		}
		if planned.ImpossibleConversion {
			e.SQLState = SQLStateCannotCoerce
			if e.Hint == "" {
				e.Hint = planned.SuggestedRetry
			}
		}
		return e
	case errors.As(err, &model):
		e := New(model.Code, position, model.Message).WithHint(model.Hint).WithCandidates(model.Candidates)
		if model.ImpossibleConversion {
			e.SQLState = SQLStateCannotCoerce
		}
		return e
	}
	return err
}

// conditionKeyPrefix begins the messages of the planner about conditions.
const conditionKeyPrefix = "where_sql: "

// IsAboutCondition reports whether an error of the planner is about a condition.
func IsAboutCondition(e *planerr.Error) bool { return strings.HasPrefix(e.Message, conditionKeyPrefix) }
