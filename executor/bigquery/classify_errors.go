package bigquery

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"

	"golang.org/x/oauth2"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

// errorBody is the body of an error response of the service.
type errorBody struct {
	Message string
	Reason  string
}

func decodeErrorBody(s *remote.FailedResponse) errorBody {
	var body struct {
		Error struct {
			Message string `json:"message"`
			Errors  []struct {
				Reason string `json:"reason"`
			} `json:"errors"`
		} `json:"error"`
	}
	_ = json.Unmarshal(s.Body, &body)
	f := errorBody{Message: body.Error.Message}
	if len(body.Error.Errors) > 0 {
		f.Reason = body.Error.Errors[0].Reason
	}
	return f
}

// classifyStartError names the failure of the request that brings the job. The project
// is rejected here, and the tables later.
func classifyStartError(err error) error {
	var status *remote.FailedResponse
	if errors.As(err, &status) {
		switch f := decodeErrorBody(status); f.Reason {
		case "accessDenied":
			return driver.AuthError(f.Reason, err)
		case "notFound":
			return driver.ConfigError("the project of the connection profile does not exist (notFound)", err)
		}
		return classifyRequestError(err)
	}
	if own := classifyTokenError(err); own != nil {
		return own
	}
	return driver.ConnectionError(err)
}

// classifyTokenError names what went wrong before there was a request; nil when that was
// something else.
func classifyTokenError(err error) error {
	var own *executor.Error
	if errors.As(err, &own) {
		return own
	}
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return driver.AuthError(tokenErrorCode(refused), err)
	}
	return nil
}

// tokenErrorCode returns the error code of a rejected token request, which a source may leave in
// the body.
func tokenErrorCode(e *oauth2.RetrieveError) string {
	var body struct {
		Code string `json:"error"`
	}
	if body.Code = e.ErrorCode; body.Code == "" {
		_ = json.Unmarshal(e.Body, &body)
	}
	if !tokenErrorCodePattern.MatchString(body.Code) {
		return "no token"
	}
	return body.Code
}

var tokenErrorCodePattern = regexp.MustCompile(`^[a-z_]{1,40}$`)

// classifyRequestError names the failure of a job. The reasons are those of the service's
// table of errors; its words are quoted where they are about the statement.
func classifyRequestError(err error) error {
	var status *remote.FailedResponse
	if !errors.As(err, &status) {
		if own := classifyTokenError(err); own != nil {
			return own
		}
		return driver.ConnectionLostError(err)
	}
	f := decodeErrorBody(status)
	if f.Reason == "" {
		f.Reason = status.Error()
	}
	switch f.Reason {
	case "invalidQuery", "invalid", "notFound", "accessDenied", "responseTooLarge", "billingTierLimitExceeded", "resourceInUse":
		return driver.SQLRejectedError(f.Message+" ("+f.Reason+")", err)
	case "bytesBilledLimitExceeded":
		return &executor.Error{
			Code: executor.CodeCostLimitExceeded, Message: "the warehouse would bill more bytes for the statement than the limit allows",
			Hint: "ask for a shorter time range, or for fewer columns", Err: err,
		}
	case "rateLimitExceeded", "quotaExceeded", "jobRateLimitExceeded", "blocked":
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + f.Reason + ")", Err: err}
	case "timeout":
		return &executor.Error{Code: executor.CodeTimeout, Message: "the warehouse cancelled the statement: " + f.Message, Err: err}
	case "billingNotEnabled":
		return driver.ConfigError("the project of the connection profile has no billing (billingNotEnabled)", err)
	case "stopped", "resourcesExceeded":
		return driver.DriverFailureError("the warehouse gave the statement up ("+f.Reason+")", err)
	}
	switch status.Code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return driver.AuthError(f.Reason, err)
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusTooManyRequests:
		return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse takes no more statements now (" + f.Reason + ")", Err: err}
	default:
		return driver.DriverFailureError("the warehouse failed ("+f.Reason+")", err)
	}
}
