package engine

import (
	"fmt"
	"strconv"
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

// The maximum length of an excerpt of a line, and how much of it precedes the column when the line is cut.
const (
	excerptWidth             = 100
	excerptWidthBeforeColumn = 40
)

// LineExcerpt returns a line of a text with its number, and a caret below the column of a position; "" for an unknown
// position. If the line is long, it is the part around the column. width is how many columns a text takes where it is shown.
func LineExcerpt(line string, at modelspec.Position, width func(string) int) string {
	if at.Line < 1 || at.Column < 1 {
		return ""
	}
	text := []rune(line)
	column := min(at.Column-1, len(text))
	if len(text) > excerptWidth {
		from := min(max(column-excerptWidthBeforeColumn, 0), len(text)-excerptWidth)
		if from > 0 {
			text = append([]rune("…"), text[from+1:]...)
			column -= from
		}
		if len(text) > excerptWidth {
			text = append(text[:excerptWidth-1], '…')
		}
	}
	number := strconv.Itoa(at.Line)
	margin := strings.Repeat(" ", len(number)+2) + " | "
	return strings.TrimRight("  "+number+" | "+string(text), " ") + "\n" + margin + strings.Repeat(" ", width(string(text[:column]))) + "^\n"
}
