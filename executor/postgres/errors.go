package postgres

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// SQLSTATE values and classes, from the appendix of PostgreSQL's manual.
const (
	classConnection = "08"
	classAuth       = "28"
	classResources  = "53"
	classSystem     = "58"
	classInternal   = "XX"
	noDatabase      = "3D000"
	noPrivilege     = "42501"
	queryCanceled   = "57014"
	adminShutdown   = "57P01"
	crashShutdown   = "57P02"
	cannotConnect   = "57P03"
)

// classifyConnect names the failure of an attempt to get a connection.
func classifyConnect(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	if errors.Is(err, puddle.ErrClosedPool) {
		return execerr.Closed()
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return classifyServer(server)
	}
	return execerr.Connection(err)
}

// classify returns the error for a statement that failed on an open connection.
func classify(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return classifyServer(server)
	}
	return execerr.ConnectionLost(err)
}

func classifyServer(e *pgconn.PgError) error {
	state := "SQLSTATE " + e.Code
	switch e.Code {
	case queryCanceled:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + e.Message, Err: e}
	case noDatabase:
		return execerr.Config("the database of the connection profile does not exist ("+state+")", e)
	case adminShutdown, crashShutdown, cannotConnect:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse is starting or shutting down (" + state + ")", Err: e}
	}
	switch e.Code[:min(2, len(e.Code))] {
	case classAuth:
		return execerr.Auth(state, e)
	case classConnection:
		return execerr.Connection(e)
	case classResources:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse has no room for the statement: " + e.Message + " (" + state + ")", Err: e}
	case classSystem, classInternal:
		return execerr.Driver("the warehouse failed: "+e.Message+" ("+state+")", e)
	}
	return &executor.Error{
		Code:    executor.CodeSQLRejected,
		Message: "the warehouse rejected the SQL: " + strings.TrimSpace(e.Message+detailText(e)) + " (" + state + ")",
		Hint:    e.Hint,
		Err:     e,
		Denied:  e.Code == noPrivilege,
	}
}

func detailText(e *pgconn.PgError) string {
	if e.Detail == "" {
		return ""
	}
	return ": " + e.Detail
}
