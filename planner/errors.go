package planner

import (
	"fmt"

	"github.com/semlayer/semlayer/planner/planerr"
)

// internal is the error of a broken invariant: a defect of the planner.
func internal(format string, args ...any) error {
	return &planerr.Error{Code: planerr.CodeInternal, Message: fmt.Sprintf(format, args...)}
}

func notImplemented(message, retry string, metrics ...string) error {
	return &planerr.Error{Code: planerr.CodeNotImplemented, Message: message, SuggestedRetry: retry, Metrics: metrics}
}
