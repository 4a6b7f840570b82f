package restapi_test

import (
	"context"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

type busyValidator struct{ fake }

func (busyValidator) Validate(context.Context, []byte) (*engine.Validation, error) {
	return nil, &engine.BusyError{Code: engine.CodeBusy, Message: "all 4 validation slots are taken; try again soon"}
}

// A validation that finds no slot gets 429 with the header Retry-After.
func TestValidate_BusyIs429WithRetryAfter(t *testing.T) {
	got := do(t, serve(t, busyValidator{answering()}, restapi.Config{}), request("POST", "/v1/validate", `{"model":"name: m"}`))
	if got.status != 429 || got.header.Get("Retry-After") != "1" || envelope(t, got.body).Code != "busy" {
		t.Errorf("%+v", got)
	}
}
