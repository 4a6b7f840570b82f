package parse

import "fmt"

// Code is the code of an Error.
type Code string

// The codes of errors.
const (
	CodeSyntax      Code = "sql_syntax"      // no SQL, or beyond the grammar
	CodeUnsupported Code = "sql_unsupported" // recognised, and without a mapping
	CodeReadOnly    Code = "sql_read_only"   // a statement that writes
	CodeTooLarge    Code = "bad_request"     // beyond a limit
)

// The SQLSTATEs of errors.
const (
	sqlStateSyntax      = "42601"
	sqlStateUnsupported = "0A000"
	sqlStateReadOnly    = "25006"
	sqlStateTooLarge    = "54000"
	sqlStateTooDeep     = "54001"
)

// The codes of the Ossie draft for SEMANTIC_VIEW.
const (
	ossieCodeViewNoClause         = "E1201" // no DIMENSIONS, FACTS or METRICS
	ossieCodeViewClauseOrder      = "E1202" // clauses in another order, or twice
	ossieCodeViewLongPath         = "E1203" // a path of three names
	ossieCodeViewFactsWithMetrics = "E1207" // FACTS with METRICS
	ossieCodeViewWindow           = "E1210" // OVER
	ossieCodeViewOuterClause      = "E1211" // HAVING, ORDER BY or LIMIT inside
)

// Error reports why a text is not a statement that can be answered.
type Error struct {
	Code     Code
	SQLState string
	Position int    // in characters from 1
	Message  string // one sentence in plain words, without the position
	Hint     string // what to write instead; may be empty
	Ossie    string // the code of the Ossie draft; may be empty

	// Statement is the whole statement without what is rejected, of equal meaning; "" where there is none.
	Statement string
}

// Error returns the message with its position and hint.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s at position %d", e.Message, e.Position)
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}

func newSyntaxError[P ~int](at P, message, hint string) *Error {
	return &Error{Code: CodeSyntax, SQLState: sqlStateSyntax, Position: int(at), Message: message, Hint: hint}
}

func newUnsupportedError[P ~int](at P, message, hint string) *Error {
	return &Error{Code: CodeUnsupported, SQLState: sqlStateUnsupported, Position: int(at), Message: message, Hint: hint}
}

func newReadOnlyError[P ~int](at P, construct string) *Error {
	return &Error{Code: CodeReadOnly, SQLState: sqlStateReadOnly, Position: int(at), Message: construct + " writes, and statements only read"}
}

func newTooDeepError[P ~int](at P, most int) *Error {
	return &Error{Code: CodeTooLarge, SQLState: sqlStateTooDeep, Position: int(at), Message: fmt.Sprintf("the statement is nested more than %d levels deep", most)}
}

func newTooManyError[P ~int](at P, what string, most int) *Error {
	return &Error{Code: CodeTooLarge, SQLState: sqlStateTooLarge, Position: int(at), Message: fmt.Sprintf("%s more than %d", what, most)}
}

// withOssieCode gives an error a code of the Ossie draft.
func (e *Error) withOssieCode(code string) *Error {
	e.Ossie = code
	return e
}
