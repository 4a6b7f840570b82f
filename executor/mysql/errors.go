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
	tooManyConnections  = 1040
	outOfResources      = 1041
	databaseDenied      = 1044
	accessDenied        = 1045
	unknownDatabase     = 1049
	serverShutdown      = 1053
	hostNotAllowed      = 1130
	userLimit           = 1203
	lockWaitTimeout     = 1205
	userResources       = 1226
	queryInterrupted    = 1317
	accessDeniedNoPass  = 1698
	passwordExpired     = 1862
	mustChangePassword  = 1820
	connectionKilled    = 1927
	statementTimeMaria  = 1969
	diskFull            = 1021
	outOfMemory         = 1037
	outOfSortMemory     = 1038
	statementTimeMySQL  = 3024
	accountLocked       = 3118
	accountLockedMaria  = 4151
	authPluginNotLoaded = 1524
	unknownVariable     = 1193
	tableDenied         = 1142
	columnDenied        = 1143
	specificDenied      = 1227
	routineDenied       = 1370
	wrongValue          = 1231
)

// classifyConnect names the failure of an attempt to get a connection.
func classifyConnect(err error) error {
	var own *executor.Error
	var server *mysql.MySQLError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &server):
		return classifyServer(server)
	case errors.Is(err, mysql.ErrNativePassword), errors.Is(err, mysql.ErrOldPassword),
		errors.Is(err, mysql.ErrCleartextPassword), errors.Is(err, mysql.ErrUnknownPlugin):
		return execerr.Auth("the server asks for a way to authenticate that is not allowed here", err)
	default:
		return execerr.Connection(err)
	}
}

// classify returns the error for a statement that failed on an open connection.
func classify(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	var server *mysql.MySQLError
	if errors.As(err, &server) {
		return classifyServer(server)
	}
	return execerr.ConnectionLost(err)
}

func classifyServer(e *mysql.MySQLError) error {
	number := "error " + strconv.Itoa(int(e.Number))
	text := redactAccounts(e.Message) + " (" + number + ")"
	switch e.Number {
	case accessDenied, databaseDenied, accessDeniedNoPass, hostNotAllowed, passwordExpired, mustChangePassword,
		accountLocked, accountLockedMaria, authPluginNotLoaded:
		return execerr.Auth(number, e)
	case unknownDatabase:
		return execerr.Config("the database of the connection profile does not exist ("+number+")", e)
	case tooManyConnections, outOfResources, userLimit, userResources, serverShutdown:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more connections: " + text, Err: e}
	case statementTimeMySQL, statementTimeMaria, lockWaitTimeout:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + text, Err: e}
	case queryInterrupted, connectionKilled, diskFull, outOfMemory, outOfSortMemory:
		return execerr.Driver("the warehouse gave the statement up: "+text, e)
	case tableDenied, columnDenied, specificDenied, routineDenied:
		return execerr.Denied(text, e)
	default:
		return execerr.Rejected(text, e)
	}
}

// accountPattern are written 'user'@'host' by the server.
var accountPattern = regexp.MustCompile("(['`\"]?)[^\\s'`\"]*(['`\"]?)@['`\"][^'`\"]*['`\"]")

func redactAccounts(text string) string { return accountPattern.ReplaceAllString(text, "(account)") }
