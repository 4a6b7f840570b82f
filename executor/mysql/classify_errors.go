package mysql

import (
	"errors"
	"regexp"
	"strconv"

	"github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// Numbers from the server error references of MySQL and MariaDB.
const (
	errTooManyConnections     = 1040
	errOutOfResources         = 1041
	errDatabaseAccessDenied   = 1044
	errAccessDenied           = 1045
	errUnknownDatabase        = 1049
	errServerShutdown         = 1053
	errHostNotAllowed         = 1130
	errUserConnectionLimit    = 1203
	errLockWaitTimeout        = 1205
	errUserResourceLimit      = 1226
	errQueryInterrupted       = 1317
	errAccessDeniedNoPassword = 1698
	errPasswordExpired        = 1862
	errMustChangePassword     = 1820
	errConnectionKilled       = 1927
	errStatementTimeMariaDB   = 1969
	errDiskFull               = 1021
	errOutOfMemory            = 1037
	errOutOfSortMemory        = 1038
	errStatementTimeMySQL     = 3024
	errAccountLocked          = 3118
	errAccountLockedMariaDB   = 4151
	errAuthPluginNotLoaded    = 1524
	errUnknownVariable        = 1193
	errTableAccessDenied      = 1142
	errColumnAccessDenied     = 1143
	errPrivilegeDenied        = 1227
	errRoutineAccessDenied    = 1370
	errWrongVariableValue     = 1231
)

// classifyConnectError names the failure of an attempt to get a connection.
func classifyConnectError(err error) error {
	var own *executor.Error
	var server *mysql.MySQLError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &server):
		return classifyServerError(server)
	case errors.Is(err, mysql.ErrNativePassword), errors.Is(err, mysql.ErrOldPassword),
		errors.Is(err, mysql.ErrCleartextPassword), errors.Is(err, mysql.ErrUnknownPlugin):
		return execerr.AuthError("the server asks for a way to authenticate that is not allowed here", err)
	default:
		return execerr.ConnectionError(err)
	}
}

// classifyStatementError returns the error for a statement that failed on an open connection.
func classifyStatementError(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	var server *mysql.MySQLError
	if errors.As(err, &server) {
		return classifyServerError(server)
	}
	return execerr.ConnectionLostError(err)
}

func classifyServerError(e *mysql.MySQLError) error {
	number := "error " + strconv.Itoa(int(e.Number))
	text := redactAccounts(e.Message) + " (" + number + ")"
	switch e.Number {
	case errAccessDenied, errDatabaseAccessDenied, errAccessDeniedNoPassword, errHostNotAllowed, errPasswordExpired, errMustChangePassword,
		errAccountLocked, errAccountLockedMariaDB, errAuthPluginNotLoaded:
		return execerr.AuthError(number, e)
	case errUnknownDatabase:
		return execerr.ConfigError("the database of the connection profile does not exist ("+number+")", e)
	case errTooManyConnections, errOutOfResources, errUserConnectionLimit, errUserResourceLimit, errServerShutdown:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more connections: " + text, Err: e}
	case errStatementTimeMySQL, errStatementTimeMariaDB, errLockWaitTimeout:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + text, Err: e}
	case errQueryInterrupted, errConnectionKilled, errDiskFull, errOutOfMemory, errOutOfSortMemory:
		return execerr.DriverFailureError("the warehouse gave the statement up: "+text, e)
	case errTableAccessDenied, errColumnAccessDenied, errPrivilegeDenied, errRoutineAccessDenied:
		return execerr.DeniedError(text, e)
	default:
		return execerr.SQLRejectedError(text, e)
	}
}

// accountPattern are written 'user'@'host' by the server.
var accountPattern = regexp.MustCompile("(['`\"]?)[^\\s'`\"]*(['`\"]?)@['`\"][^'`\"]*['`\"]")

func redactAccounts(text string) string { return accountPattern.ReplaceAllString(text, "(account)") }
