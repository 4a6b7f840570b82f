package engine

import (
	"errors"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

const sqlStateDiskFull = "53100"

// SQLStateOfCode returns the SQLSTATE that PostgreSQL's clients read for a code of an error.
func SQLStateOfCode(code string) string { return sqlerror.SQLStateOfCode(code) }

// SQLStateOf returns the SQLSTATE of an error: that of its code, which for memory depends on the cause.
func SQLStateOf(err CodedError) string {
	var (
		limit   *memory.LimitError
		execute *ExecuteError
	)
	switch {
	case errors.As(err, &limit):
		return limit.SQLState()
	case errors.As(err, &execute) && execute.DiskFull:
		return sqlStateDiskFull
	}
	return SQLStateOfCode(err.ErrorCode())
}
