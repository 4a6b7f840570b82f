package mysql

import (
	"errors"
	"regexp"
	"strconv"

	"github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Numbers from the server error references of MySQL and MariaDB.
const (
	errnoTooManyConnections     = 1040
	errnoOutOfResources         = 1041
	errnoDatabaseAccessDenied   = 1044
	errnoAccessDenied           = 1045
	errnoUnknownDatabase        = 1049
	errnoServerShutdown         = 1053
	errnoHostNotAllowed         = 1130
	errnoUserConnectionLimit    = 1203
	errnoLockWaitTimeout        = 1205
	errnoUserResourceLimit      = 1226
	errnoQueryInterrupted       = 1317
	errnoAccessDeniedNoPassword = 1698
	errnoPasswordExpired        = 1862
	errnoMustChangePassword     = 1820
	errnoConnectionKilled       = 1927
	errnoStatementTimeMariaDB   = 1969
	errnoDiskFull               = 1021
	errnoOutOfMemory            = 1037
	errnoOutOfSortMemory        = 1038
	errnoStatementTimeMySQL     = 3024
	errnoAccountLocked          = 3118
	errnoAccountLockedMariaDB   = 4151
	errnoAuthPluginNotLoaded    = 1524
	errnoUnknownVariable        = 1193
	errnoTableAccessDenied      = 1142
	errnoColumnAccessDenied     = 1143
	errnoPrivilegeDenied        = 1227
	errnoRoutineAccessDenied    = 1370
	errnoWrongVariableValue     = 1231
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
		return driver.AuthError("the server requires an authentication method that is not allowed here", err)
	default:
		return driver.ConnectionError(err)
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
	return driver.ConnectionLostError(err)
}

func classifyServerError(e *mysql.MySQLError) error {
	number := "error " + strconv.Itoa(int(e.Number))
	text := redactAccounts(e.Message) + " (" + number + ")"
	switch e.Number {
	case errnoAccessDenied, errnoDatabaseAccessDenied, errnoAccessDeniedNoPassword, errnoHostNotAllowed, errnoPasswordExpired, errnoMustChangePassword,
		errnoAccountLocked, errnoAccountLockedMariaDB, errnoAuthPluginNotLoaded:
		return driver.AuthError(number, e)
	case errnoUnknownDatabase:
		return driver.ConfigError("the database of the connection profile does not exist ("+number+")", e)
	case errnoTooManyConnections, errnoOutOfResources, errnoUserConnectionLimit, errnoUserResourceLimit, errnoServerShutdown:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more connections: " + text, Err: e}
	case errnoStatementTimeMySQL, errnoStatementTimeMariaDB, errnoLockWaitTimeout:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + text, Err: e}
	case errnoQueryInterrupted, errnoConnectionKilled, errnoDiskFull, errnoOutOfMemory, errnoOutOfSortMemory:
		return driver.DriverFailureError("the warehouse aborted the statement: "+text, e)
	case errnoTableAccessDenied, errnoColumnAccessDenied, errnoPrivilegeDenied, errnoRoutineAccessDenied:
		return driver.DeniedError(text, e)
	default:
		return driver.SQLRejectedError(text, e)
	}
}

// accountPattern are written 'user'@'host' by the server.
var accountPattern = regexp.MustCompile("(['`\"]?)[^\\s'`\"]*(['`\"]?)@['`\"][^'`\"]*['`\"]")

func redactAccounts(text string) string { return accountPattern.ReplaceAllString(text, "(account)") }
