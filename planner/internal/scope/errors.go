package scope

import (
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ToPlanStageError gives an error of a text of the query the form of the plan stage, where its code
// is of that stage. Others are errors of compiling, as a model would get them.
func ToPlanStageError(err error) error {
	var failure *modelspec.CompileError
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Code {
	case compile.CodeUnsupportedExpressionInQuery, compile.CodeUnknownMetricInQuery, compile.CodeUnknownDimensionInQuery, compile.CodeUnknownRelationshipInQuery,
		compile.CodeBadRequest:
		return &planerr.Error{
			Code: failure.Code, Message: failure.Message, Candidates: failure.Candidates, Hint: failure.Hint, Location: failure.Location,
		}
	}
	return err
}

// InternalError returns the error of a broken invariant: a defect of the planner.
func InternalError(format string, args ...any) error {
	return &planerr.Error{Code: planerr.CodeInternal, Message: fmt.Sprintf(format, args...)}
}

// NotImplementedError returns the error of what the planner does not support.
func NotImplementedError(message, retry string, metrics ...string) *planerr.Error {
	return &planerr.Error{Code: planerr.CodeNotImplemented, Message: message, SuggestedRetry: retry, Metrics: metrics}
}
