package engine

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
)

// PoliciesError are the errors of a policies file.
type PoliciesError struct {
	Path   string
	Issues []modelspec.Issue
}

// Error names the file and its first finding.
func (e *PoliciesError) Error() string {
	first := e.firstError()
	out := planerr.ClipText(e.Path) + ":" + strconv.Itoa(first.Position.Line) + ":" + strconv.Itoa(first.Position.Column) + ": " + first.Code + ": " + first.Message
	if more := len(e.Issues) - 1; more > 0 {
		out += " (and " + strconv.Itoa(more) + " more)"
	}
	return out
}

// ErrorCode returns the code of the first error.
func (e *PoliciesError) ErrorCode() string { return e.firstError().Code }

// firstError returns the first finding that is not a warning.
func (e *PoliciesError) firstError() modelspec.Issue {
	return e.Issues[slices.IndexFunc(e.Issues, func(i modelspec.Issue) bool { return i.Severity == modelspec.SeverityError })]
}
