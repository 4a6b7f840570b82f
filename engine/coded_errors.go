package engine

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
)

// CodedError is implemented by every error with a stable code. Each error of this package
// that implements it also marshals to the JSON of its stage.
type CodedError interface {
	error
	ErrorCode() string
}

// ExecuteError is the failure of an execution.
type ExecuteError = executor.Error

// CodeBusy is the code of a BusyError.
const CodeBusy = "busy"

// CodeMemoryLimit is the code of a memory.LimitError, and of a statement for which the embedded database has no memory.
const CodeMemoryLimit = executor.CodeMemoryLimit

// BusyError rejects an execution or a validation because all slots are taken.
type BusyError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func busyError(slots int, of string) error {
	return &BusyError{CodeBusy, fmt.Sprintf("all %d %s slots are in use; try again soon", slots, of)}
}

// busyConnectionError returns the error of an execution beyond the bound of its profile.
func busyConnectionError(name string, slots int) error {
	return &BusyError{CodeBusy, fmt.Sprintf("all %d execution slots of the connection %s are in use; try again soon", slots, planerr.ClipText(name))}
}

// Error returns the code and the message.
func (e *BusyError) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns "busy".
func (e *BusyError) ErrorCode() string { return e.Code }

// ModelError is returned when validation finds errors in the model.
type ModelError struct {
	Path   string // of the model file; "" when it was given as text
	Issues []modelspec.Issue
}

// Error lists the errors among the issues, one a line, each with file, line and
// column where they are known.
func (e *ModelError) Error() string {
	var b strings.Builder
	for _, i := range e.Issues {
		if i.Severity != modelspec.SeverityError {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(MessagePositionPrefix(e.Path, i.Position))
		b.WriteString(i.Code + ": " + i.Message)
		if i.Location != "" {
			b.WriteString(" (" + i.Location + ")")
		}
	}
	return b.String()
}

// ErrorCode returns "invalid_model".
func (e *ModelError) ErrorCode() string { return "invalid_model" }

// MessagePositionPrefix prints a place as the prefix of a message: "model.yaml:3:7: ", or less
// where less is known.
func MessagePositionPrefix(path string, p modelspec.Position) string {
	switch {
	case path != "" && p.Line > 0:
		return fmt.Sprintf("%s:%d:%d: ", path, p.Line, p.Column)
	case p.Line > 0:
		return fmt.Sprintf("%d:%d: ", p.Line, p.Column)
	case path != "":
		return path + ": "
	}
	return ""
}
