package trino

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

// queryError is a failure that the cluster reports. Its fields are the error
// codes of the manual.
type queryError struct {
	Message string `json:"message"`
	Name    string `json:"errorName"`
	Type    string `json:"errorType"`
}

func (e *queryError) Error() string { return e.Name + ": " + e.Message }

// toExecutorError names a failure of the statement. The cluster's words are quoted where
// they are about the SQL; elsewhere they name machines.
func (e *queryError) toExecutorError() error {
	switch e.Name {
	case "EXCEEDED_TIME_LIMIT":
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + e.Message + " (" + e.Name + ")", Err: e}
	case "QUERY_QUEUE_FULL", "QUERY_REJECTED", "SERVER_STARTING_UP", "SERVER_SHUTTING_DOWN", "NO_NODES_AVAILABLE":
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + e.Name + ")", Err: e}
	case "USER_CANCELED", "ADMINISTRATIVELY_KILLED", "ADMINISTRATIVELY_PREEMPTED":
		return driver.DriverFailureError("the warehouse gave the statement up ("+e.Name+")", e)
	}
	if e.Type == "USER_ERROR" {
		return driver.SQLRejectedError(e.Message+" ("+e.Name+")", e)
	}
	return driver.DriverFailureError("the warehouse failed ("+e.Name+")", e)
}

// classifyStartError names the failure of the request that brings the statement.
func classifyStartError(err error) error {
	var status *remote.FailedResponse
	if !errors.As(err, &status) {
		return driver.ConnectionError(err)
	}
	if status.Code == http.StatusBadRequest {
		return driver.DriverFailureError("the warehouse does not understand the request ("+status.Error()+")", err)
	}
	return classifyRequestError(err)
}

// classifyRequestError names the failure of a request for more of a statement.
func classifyRequestError(err error) error {
	var status *remote.FailedResponse
	if !errors.As(err, &status) {
		return driver.ConnectionLostError(err)
	}
	text := "HTTP status " + strconv.Itoa(status.Code)
	switch status.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return driver.AuthError(text, err)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + text + ")", Err: err}
	case http.StatusNotFound, http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return &executor.Error{
			Code: executor.CodeConnection, Message: "the server is not a Trino coordinator (" + text + ")",
			Hint: "check the host, the port and http_scheme of the connection profile", Err: err,
		}
	default:
		return driver.DriverFailureError("the warehouse failed ("+text+")", err)
	}
}
