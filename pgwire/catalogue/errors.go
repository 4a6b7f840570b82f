package catalogue

import (
	"errors"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/semsql/parse"
)

// The SQLSTATEs of statements about the catalogue.
const (
	sqlstateSyntaxError               = "42601"
	sqlstateFeatureNotSupported       = "0A000"
	sqlstateUndefinedTable            = "42P01"
	sqlstateUndefinedColumn           = "42703"
	sqlstateUndefinedFunction         = "42883"
	sqlstateUndefinedObject           = "42704"
	sqlstateAmbiguousColumn           = "42702"
	sqlstateDuplicateAlias            = "42712"
	sqlstateDatatypeMismatch          = "42804"
	sqlstateInvalidTextRepresentation = "22P02"
	sqlstateInvalidParameterValue     = "22023"
	sqlstateInvalidRegularExpression  = "2201B"
	sqlstateProgramLimitExceeded      = "54000"
	sqlstateGroupingError             = "42803"
	sqlstateCardinalityViolation      = "21000"
	sqlstateProtocolViolation         = "08P01"
	sqlstateDivisionByZero            = "22012"
	sqlstateNumericOutOfRange         = "22003"
	sqlstateQueryCanceled             = "57014"
	sqlstateInternalError             = "XX000"
)

// The codes of the errors.
const (
	codeUnsupported        = "sql_unsupported"
	codeBadRequest         = "bad_request"
	codeUnknownDataset     = "unknown_dataset"
	codeUnknownColumn      = "unknown_column"
	codeAmbiguousDimension = "ambiguous_dimension"
	codeGroupByRequired    = "sql_group_by_required"
	codeSQLParameter       = "sql_parameter"
	codeTimeout            = "timeout"
	codeInternal           = "internal"
)

var codesBySQLState = map[string]string{
	sqlstateFeatureNotSupported: codeUnsupported, sqlstateUndefinedTable: codeUnknownDataset, sqlstateUndefinedColumn: codeUnknownColumn, sqlstateAmbiguousColumn: codeAmbiguousDimension,
	sqlstateGroupingError: codeGroupByRequired, sqlstateProtocolViolation: codeSQLParameter, sqlstateInternalError: codeInternal,
	sqlstateQueryCanceled: codeTimeout,
}

// newStatementError returns an error of a statement at a place of its text.
func newStatementError(at parse.Node, state, message string) *engine.SQLError {
	code, ok := codesBySQLState[state]
	if !ok {
		code = codeBadRequest
	}
	e := &engine.SQLError{Code: code, SQLState: state, Message: message}
	if at != nil {
		e.Position = at.Pos()
	}
	return e
}

// newUnsupportedError rejects a construct that is not printed.
func newUnsupportedError(at parse.Node, construct string) *engine.SQLError {
	return newStatementError(at, sqlstateFeatureNotSupported, construct+" is not supported in a statement about the catalogue")
}

// convertParseError gives an error of the parser the form of the others.
func convertParseError(err error) error {
	var e *parse.Error
	if !errors.As(err, &e) {
		return err
	}
	return &engine.SQLError{Code: string(e.Code), SQLState: e.SQLState, Message: e.Message, Hint: e.Hint, Position: e.Position}
}

// isOutOfMemoryError reports whether a statement has failed for lack of memory.
func isOutOfMemoryError(err error) bool {
	var e *engine.SQLError
	return errors.As(err, &e) && e.Code == executor.CodeMemoryLimit
}

// duckDBErrorRules are the errors of DuckDB that a statement can cause, by a part of their text.
var duckDBErrorRules = []struct{ part, state, message string }{
	{"More than one row returned by a subquery", sqlstateCardinalityViolation, "more than one row returned by a subquery used as an expression"},
	{"must appear in the GROUP BY clause", sqlstateGroupingError, "a column must appear in the GROUP BY clause or be used in an aggregate function"},
	{"Could not convert string", sqlstateInvalidTextRepresentation, "a text is not a value of the type that it is read as"},
	{"-> bit conversion", sqlstateInvalidTextRepresentation, "a text is not a bit string"},
	{"bit strings of different sizes", "22026", "cannot combine bit strings of different sizes"},
	{"invalid regular expression", sqlstateInvalidRegularExpression, "invalid regular expression"},
	{"missing argument to repetition", sqlstateInvalidRegularExpression, "invalid regular expression"},
	{"missing )", sqlstateInvalidRegularExpression, "invalid regular expression"},
	{"missing ]", sqlstateInvalidRegularExpression, "invalid regular expression"},
	{executor.CodeMemoryLimit, sqlstateProgramLimitExceeded, "the statement needs too much memory"},
	{"Undefined Column", sqlstateUndefinedColumn, "the relation has no column of this name"},
	{gatheredTextError, sqlstateProgramLimitExceeded, "a function of the statement reads a text or list of several rows that is longer than " + strconv.Itoa(maxGatheredBytes>>20) + " MiB, or " + strconv.Itoa(maxGatheredBytesOfRows>>10) + " KiB where it is computed for many rows"},
	{nullKeyError, sqlstateInvalidParameterValue, "a key of an object of JSON must not be null"},
	{jsonTextError, sqlstateFeatureNotSupported, "-> and ->> keep no blanks, escapes or zeros of a part of JSON"},
	{"alformed JSON", sqlstateInvalidTextRepresentation, "invalid input syntax for type json"},
	{"division by zero", sqlstateDivisionByZero, "division by zero"},
	{"Out of Range", sqlstateNumericOutOfRange, "a value is out of range"},
	{"Overflow", sqlstateNumericOutOfRange, "a value is out of range"},
	{"out of range", sqlstateNumericOutOfRange, "a value is out of range"},
}

// convertDuckDBError gives an error of DuckDB the form of the others; its text is not shown.
func convertDuckDBError(err error) error {
	text := err.Error()
	for _, known := range duckDBErrorRules {
		if strings.Contains(text, known.part) {
			e := newStatementError(nil, known.state, known.message)
			if known.part == executor.CodeMemoryLimit {
				e.Code = executor.CodeMemoryLimit
			}
			return e
		}
	}
	return newStatementError(nil, sqlstateFeatureNotSupported, "the statement is not supported in a statement about the catalogue")
}

// isInvalidLiteralError reports whether an error is of a literal that is not a value of its type.
func isInvalidLiteralError(err error) bool {
	var e *engine.SQLError
	return errors.As(err, &e) && e.SQLState == sqlstateInvalidTextRepresentation
}
