package driver

import (
	"context"
	"errors"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// ContextError returns the error for a call whose context has ended, and nil while the context is
// alive. The cause stays reachable for errors.Is, so a caller can distinguish a cancelled
// request from a missed deadline.
//
// A deadline in the past has been missed: a connection with the same deadline may report it
// shortly before the context does.
func ContextError(ctx context.Context) error {
	err := ctx.Err()
	if deadline, ok := ctx.Deadline(); err == nil && ok && !time.Now().Before(deadline) {
		err = context.DeadlineExceeded
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &executor.Error{
			Code:    executor.CodeTimeout,
			Message: "the statement did not finish in time and was cancelled",
			Hint:    "ask for fewer rows or a shorter time range, or raise the execution timeout",
			Err:     err,
		}
	default:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the statement was cancelled by its caller", Err: err}
	}
}

// EmptyStatementError returns the error for a text without a statement.
func EmptyStatementError() error { return SQLRejectedError("the text holds no statement", nil) }

// SQLRejectedError returns the error for a statement that the warehouse rejected, with the warehouse's
// message.
func SQLRejectedError(text string, cause error) *executor.Error {
	return &executor.Error{Code: executor.CodeSQLRejected, Message: "the warehouse rejected the SQL: " + text, Err: cause}
}

// DeniedError returns the error for a statement that the account may not run, with the warehouse's message.
func DeniedError(text string, cause error) error {
	return &executor.Error{Code: executor.CodeSQLRejected, Message: "the warehouse rejected the SQL: " + text, Err: cause, Denied: true}
}

// DriverFailureError is a failure after connecting that is not the statement's fault.
func DriverFailureError(text string, cause error) error {
	return &executor.Error{Code: executor.CodeDriver, Message: text, Err: cause}
}

// ConfigError is a broken connection profile.
func ConfigError(text string, cause error) error {
	return &executor.Error{Code: executor.CodeConfig, Message: text, Err: cause}
}

// ClosedError returns the error of an executor or of rows after Close.
func ClosedError() error { return DriverFailureError("the connection to the warehouse is closed", nil) }
