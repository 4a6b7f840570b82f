package postgres

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// SQLSTATE values and classes, from the appendix of PostgreSQL's manual.
const (
	sqlStateClassConnection       = "08"
	sqlStateClassAuth             = "28"
	sqlStateClassResources        = "53"
	sqlStateClassSystem           = "58"
	sqlStateClassInternal         = "XX"
	sqlStateUnknownDatabase       = "3D000"
	sqlStateInsufficientPrivilege = "42501"
	sqlStateQueryCanceled         = "57014"
	sqlStateAdminShutdown         = "57P01"
	sqlStateCrashShutdown         = "57P02"
	sqlStateCannotConnectNow      = "57P03"
)

// classifyConnectError names the failure of an attempt to get a connection.
func classifyConnectError(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	if errors.Is(err, puddle.ErrClosedPool) {
		return driver.ClosedError()
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return classifyServerError(server)
	}
	return driver.ConnectionError(err)
}

// classifyStatementError returns the error for a statement that failed on an open connection.
func classifyStatementError(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return classifyServerError(server)
	}
	return driver.ConnectionLostError(err)
}

func classifyServerError(e *pgconn.PgError) error {
	state := "SQLSTATE " + e.Code
	switch e.Code {
	case sqlStateQueryCanceled:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + e.Message, Err: e}
	case sqlStateUnknownDatabase:
		return driver.ConfigError("the database of the connection profile does not exist ("+state+")", e)
	case sqlStateAdminShutdown, sqlStateCrashShutdown, sqlStateCannotConnectNow:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse is starting or shutting down (" + state + ")", Err: e}
	}
	switch e.Code[:min(2, len(e.Code))] {
	case sqlStateClassAuth:
		return driver.AuthError(state, e)
	case sqlStateClassConnection:
		return driver.ConnectionError(e)
	case sqlStateClassResources:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse has no room for the statement: " + e.Message + " (" + state + ")", Err: e}
	case sqlStateClassSystem, sqlStateClassInternal:
		return driver.DriverFailureError("the warehouse failed: "+e.Message+" ("+state+")", e)
	}
	return &executor.Error{
		Code:    executor.CodeSQLRejected,
		Message: "the warehouse rejected the SQL: " + strings.TrimSpace(e.Message+errorDetailSuffix(e)) + " (" + state + ")",
		Hint:    e.Hint,
		Err:     e,
		Denied:  e.Code == sqlStateInsufficientPrivilege,
	}
}

func errorDetailSuffix(e *pgconn.PgError) string {
	if e.Detail == "" {
		return ""
	}
	return ": " + e.Detail
}
