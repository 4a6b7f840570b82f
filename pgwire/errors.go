package pgwire

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire/internal/value"
	"github.com/semlayer/semlayer/semsql/parse"
)

// The SQLSTATEs of sessions.
const (
	sqlstateProtocolViolation          = "08P01"
	sqlstateConnectionFailure          = "08006"
	sqlstateInvalidAuthorization       = "28000"
	sqlstateInvalidPassword            = "28P01"
	sqlstateUnknownDatabase            = "3D000"
	sqlstateTooManyConnections         = "53300"
	sqlstateConfigurationLimitExceeded = "53400"
	sqlstateQueryCanceled              = "57014"
	sqlstateAdminShutdown              = "57P01"
	sqlstateIdleSessionTimeout         = "57P05"
	sqlstateFeatureNotSupported        = "0A000"
	sqlstateNoActiveTransaction        = "25P01"
	sqlstateActiveTransaction          = "25001"
	sqlstateInFailedTransaction        = "25P02"
	sqlstateUnknownStatement           = "26000"
	sqlstateUnknownCursor              = "34000"
	sqlstateDuplicateCursor            = "42P03"
	sqlstateDuplicateStatement         = "42P05"
	sqlstateUnknownSavepoint           = "3B001"
	sqlstateCursorNotScrollable        = "55000"
	sqlstateCannotChangeParameter      = "55P02"
	sqlstateInsufficientPrivilege      = "42501"
	sqlstateUndefinedObject            = "42704"
	sqlstateInvalidParameterValue      = "22023"
	sqlstateInternalError              = "XX000"
	sqlstateSyntaxError                = "42601"
)

// The outcomes of a statement that are not a SQLSTATE.
const (
	outcomeOK         = "ok"
	outcomeClientGone = "client_gone"
)

// sessionError is an error that the session itself raises. A fatal one ends it.
type sessionError struct {
	state   string
	message string
	hint    string
	code    string // of the service; "" for none
	// candidates are names that exist; they need a code.
	candidates []string
	fatal      bool
}

// Error returns the message.
func (e *sessionError) Error() string { return e.message }

func newSessionError(state, message string) *sessionError {
	return &sessionError{state: state, message: message}
}

func newFatalSessionError(state, message string) *sessionError {
	return &sessionError{state: state, message: message, fatal: true}
}

// Causes of ended statements.
var (
	errCanceled   = errors.New("canceled by the client")
	errClientGone = errors.New("the client has gone")
	errTimeout    = errors.New("the time limit was reached")
)

// errorResponse returns an error as the client reads it.
func errorResponse(ctx context.Context, err error) *pgproto3.ErrorResponse {
	out := &pgproto3.ErrorResponse{Severity: "ERROR"}
	var (
		own     *sessionError
		refused *engine.SQLError
		syntax  *parse.Error
		misfit  *value.Error
		coded   engine.CodedError
	)
	switch {
	case errors.As(err, &own):
		out.Code, out.Message, out.Hint = own.state, own.message, own.hint
		if own.fatal {
			out.Severity = "FATAL"
		}
		if own.code != "" {
			out.Detail = errorDetailText(own.code, own.candidates, nil, "")
		}
	case errors.Is(err, errClientGone), errors.Is(context.Cause(ctx), errClientGone):
		out.Code, out.Message = sqlstateConnectionFailure, "the client has closed the connection"
	case errors.Is(context.Cause(ctx), errCanceled):
		out.Code, out.Message = sqlstateQueryCanceled, "the statement was canceled by its user"
	case errors.As(err, &refused):
		fillSQLErrorResponse(out, refused)
	case errors.As(err, &syntax):
		out.Code, out.Message, out.Hint, out.Position = syntax.SQLState, syntax.Message, syntax.Hint, int32(syntax.Position)
		out.Detail = "code: " + string(syntax.Code)
	case errors.As(err, &misfit):
		out.Code, out.Message = misfit.SQLState, misfit.Message
	case errors.As(err, &coded):
		fillCodedErrorResponse(out, coded)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(context.Cause(ctx), errTimeout):
		out.Code, out.Message, out.Detail = sqlstateQueryCanceled, "the statement did not end within its time limit", "code: timeout"
	default:
		out.Code, out.Message, out.Detail = sqlstateInternalError, "the session failed at this statement; a retry does not help", "code: internal"
	}
	out.Position = positionInClientText(err, out.Position)
	out.SeverityUnlocalized = out.Severity
	out.Message, out.Detail, out.Hint = replaceNUL(out.Message), replaceNUL(out.Detail), replaceNUL(out.Hint)
	return out
}

func replaceNUL(text string) string { return strings.ReplaceAll(text, "\x00", "�") }

// fillSQLErrorResponse writes the error of a statement over the model. The hint is the statement that works alone, or words.
func fillSQLErrorResponse(out *pgproto3.ErrorResponse, e *engine.SQLError) {
	out.Code, out.Message, out.Hint, out.Position = e.SQLState, e.Message, e.Hint, int32(e.Position)
	if e.Statement != "" {
		out.Hint = e.Statement
	}
	out.Detail = errorDetailText(e.Code, e.Candidates, e.Metrics, e.Ossie)
}

func errorDetailText(code string, candidates, metrics []string, ossie string) string {
	lines := []string{"code: " + code}
	if len(candidates) > 0 {
		lines = append(lines, "candidates: "+strings.Join(candidates, ", "))
	}
	if len(metrics) > 0 {
		lines = append(lines, "metrics: "+strings.Join(metrics, ", "))
	}
	if ossie != "" {
		lines = append(lines, "ossie: "+ossie)
	}
	return strings.Join(lines, "\n")
}

// fillCodedErrorResponse writes any other error of the service by its wire form.
func fillCodedErrorResponse(out *pgproto3.ErrorResponse, e engine.CodedError) {
	out.Code, out.Message = engine.SQLStateOf(e), e.Error()
	out.Detail = "code: " + e.ErrorCode()
	text, err := engine.MarshalWireJSON(e)
	if err != nil {
		return
	}
	var wire struct {
		Message    string   `json:"message"`
		Hint       string   `json:"hint"`
		Candidates []string `json:"candidates"`
		Metrics    []string `json:"metrics"`
	}
	if json.Unmarshal(text, &wire) != nil || wire.Message == "" {
		return
	}
	out.Message, out.Hint = wire.Message, wire.Hint
	if name := suggestedConnection(e); name != "" {
		out.Hint = "SET " + connectionVariableName + " = '" + strings.ReplaceAll(name, "'", "''") + "'"
	}
	out.Detail = errorDetailText(e.ErrorCode(), wire.Candidates, wire.Metrics, "")
}

// suggestedConnection returns the connection that the retry of an execution names, or the first candidate.
func suggestedConnection(err error) string {
	var failed *engine.ExecuteError
	if !errors.As(err, &failed) || len(failed.Candidates) == 0 {
		return ""
	}
	var retry struct {
		Connection string `json:"connection"`
	}
	if json.Unmarshal([]byte(failed.SuggestedRetry), &retry) == nil && retry.Connection != "" {
		return retry.Connection
	}
	return failed.Candidates[0]
}
