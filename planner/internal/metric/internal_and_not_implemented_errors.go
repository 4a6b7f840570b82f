package metric

import (
	"fmt"

	"github.com/semlayer/semlayer/planner/planerr"
)

// InternalError returns the error of a broken invariant: a defect of the planner.
func InternalError(format string, args ...any) error {
	return &planerr.Error{Code: planerr.CodeInternal, Message: fmt.Sprintf(format, args...)}
}

func notImplementedError(message, retry string, metrics ...string) *planerr.Error {
	return &planerr.Error{Code: planerr.CodeNotImplemented, Message: message, SuggestedRetry: retry, Metrics: metrics}
}
