package databricks

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

// errorBody is an error in a response of the interface.
type errorBody struct {
	Code    string `json:"error_code"`
	Message string `json:"message"`
}

// toExecutorError names the end of a statement that did not succeed.
func (s statementStatus) toExecutorError() error {
	if s.State == "CANCELED" || s.State == "CLOSED" {
		return driver.DriverFailureError("the warehouse gave the statement up ("+s.State+")", nil)
	}
	p := errorBody{}
	if s.Error != nil {
		p = *s.Error
	}
	if isStatementFaultSQLState(s.SQLState) && p.Code != "DEADLINE_EXCEEDED" {
		return driver.SQLRejectedError(p.Message+" ("+s.SQLState+")", nil)
	}
	return p.toExecutorError(nil)
}

// isStatementFaultSQLState reports whether a SQLSTATE speaks about the statement: a feature that
// is missing, data, cardinality, syntax, names, rights and limits.
func isStatementFaultSQLState(state string) bool {
	if len(state) != 5 {
		return false
	}
	switch state[:2] {
	case "0A", "21", "22", "23", "42", "54":
		return true
	}
	return false
}

func (p errorBody) toExecutorError(cause error) error {
	switch p.Code {
	case "BAD_REQUEST", "NOT_FOUND", "ALREADY_EXISTS", "INVALID_PARAMETER_VALUE":
		return driver.SQLRejectedError(p.Message+" ("+p.Code+")", cause)
	case "DEADLINE_EXCEEDED":
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement (" + p.Code + ")", Err: cause}
	case "UNAUTHENTICATED", "PERMISSION_DENIED":
		return driver.AuthError(p.Code, cause)
	case "RESOURCE_EXHAUSTED", "TEMPORARILY_UNAVAILABLE", "SERVICE_UNDER_MAINTENANCE", "WORKSPACE_TEMPORARILY_UNAVAILABLE", "REQUEST_LIMIT_EXCEEDED":
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + p.Code + ")", Err: cause}
	case "CANCELLED", "ABORTED":
		return driver.DriverFailureError("the warehouse gave the statement up ("+p.Code+")", cause)
	case "":
		return driver.DriverFailureError("the warehouse failed", cause)
	default:
		return driver.DriverFailureError("the warehouse failed ("+p.Code+")", cause)
	}
}

// classifyStartError names the failure of the request that brings the statement, which
// is about the warehouse rather than the SQL.
func classifyStartError(err error) error {
	var failure *remote.FailedResponse
	if !errors.As(err, &failure) {
		return driver.ConnectionError(err)
	}
	switch failure.Code {
	case http.StatusBadRequest, http.StatusNotFound:
		if p := decodeErrorBody(failure); p.Code == "NOT_FOUND" || p.Code == "RESOURCE_DOES_NOT_EXIST" || p.Code == "INVALID_PARAMETER_VALUE" {
			return driver.ConfigError("the workspace does not have this warehouse ("+p.Code+")", err)
		}
	}
	return classifyRequestError(err)
}

// classifyRequestError names the failure of a request for more of a statement.
func classifyRequestError(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	var failure *remote.FailedResponse
	if !errors.As(err, &failure) {
		return driver.ConnectionLostError(err)
	}
	p := decodeErrorBody(failure)
	switch failure.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return driver.AuthError(failure.Error(), err)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + failure.Error() + ")", Err: err}
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return &executor.Error{
			Code: executor.CodeConnection, Message: "the server is not a Databricks workspace (" + failure.Error() + ")",
			Hint: "check the host of the connection profile", Err: err,
		}
	}
	if p.Code == "" {
		return driver.DriverFailureError("the warehouse failed ("+failure.Error()+")", err)
	}
	return p.toExecutorError(err)
}

func decodeErrorBody(s *remote.FailedResponse) errorBody {
	var p errorBody
	_ = json.Unmarshal(s.Body, &p)
	return p
}
