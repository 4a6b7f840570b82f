package snowflake

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

// Codes of the service.
const (
	codeCancelled          = "000604"
	codeStatementTimeout   = "000630"
	codeQueueTimeout       = "000629"
	codeNoActiveWarehouse  = "000606"
	codeQuotaExceeded      = "090073"
	codeWarehouseSuspended = "000607"
	codeUnknownDatabase    = "390201"
	codeUnknownRole        = "390189"
)

// errorBody is the body of a response whose status reports a failure.
type errorBody struct {
	Code     string `json:"code"`
	SQLState string `json:"sqlState"`
	Message  string `json:"message"`
}

func decodeErrorBody(s *remote.FailedResponse) errorBody {
	var f errorBody
	_ = json.Unmarshal(s.Body, &f)
	return f
}

// isStatementFailure reports whether the error belongs to the statement, which has ended then.
func isStatementFailure(err error) bool {
	var status *remote.FailedResponse
	return errors.As(err, &status) && status.Code == http.StatusUnprocessableEntity
}

// classifyStartError names the failure of the request that brings the statement.
func classifyStartError(err error) error {
	var status *remote.FailedResponse
	if !errors.As(err, &status) {
		return driver.ConnectionError(err)
	}
	if status.Code == http.StatusNotFound {
		return driver.ConfigError("there is no account of that name", err)
	}
	return classifyRequestError(err)
}

// classifyRequestError names the failure of a request. The service's words are quoted where
// they are about the statement.
func classifyRequestError(err error) error {
	var status *remote.FailedResponse
	if !errors.As(err, &status) {
		return driver.ConnectionLostError(err)
	}
	f := decodeErrorBody(status)
	detail := f.Code
	if detail == "" {
		detail = status.Error()
	}
	switch status.Code {
	case http.StatusUnprocessableEntity:
		return f.toExecutorError(err)
	case http.StatusRequestTimeout:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement (" + detail + ")", Err: err}
	case http.StatusUnauthorized, http.StatusForbidden:
		return &executor.Error{
			Code: executor.CodeAuth, Message: "the warehouse rejected the credentials (" + detail + ")",
			Hint: "the SQL API takes a key pair, or a programmatic access token in place of the password; check the user and its network policy", Err: err,
		}
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + detail + ")", Err: err}
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return &executor.Error{
			Code: executor.CodeConnection, Message: "the server is not a Snowflake account (" + detail + ")",
			Hint: "check the account of the connection profile", Err: err,
		}
	default:
		return driver.DriverFailureError("the warehouse failed ("+detail+")", err)
	}
}

// toExecutorError names the end of a statement that did not succeed.
func (f errorBody) toExecutorError(err error) error {
	switch f.Code {
	case codeStatementTimeout, codeQueueTimeout:
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + f.Message + " (" + f.Code + ")", Err: err}
	case codeCancelled:
		return driver.DriverFailureError("the warehouse gave the statement up ("+f.Code+")", err)
	case codeNoActiveWarehouse, codeUnknownDatabase, codeUnknownRole:
		return driver.ConfigError("the warehouse or the role of the connection profile cannot be used: "+f.Message+" ("+f.Code+")", err)
	case codeQuotaExceeded, codeWarehouseSuspended:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + f.Code + ")", Err: err}
	}
	if len(f.SQLState) == 5 {
		switch f.SQLState[:2] {
		case "08", "58", "XX":
			return driver.DriverFailureError("the warehouse failed ("+f.Code+")", err)
		}
	}
	return driver.SQLRejectedError(f.Message+" ("+f.Code+")", err)
}
