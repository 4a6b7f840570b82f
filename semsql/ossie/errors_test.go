package ossie_test

import (
	"testing"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/ossie"
)

// coded is an error of another stage.
type coded string

func (c coded) Error() string     { return string(c) + ": words" }
func (c coded) ErrorCode() string { return string(c) }

func TestFromEngineError_Codes(t *testing.T) {
	for own, want := range map[string]string{
		"unknown_metric": "E_NAME_NOT_FOUND", "unknown_dimension": "E_NAME_NOT_FOUND", "no_join_path": "E_NO_PATH", "ambiguous_join_path": "E_AMBIGUOUS_PATH",
		"unsupported_filter": "UNSUPPORTED_QUERY", "unsupported_expression": "UNSUPPORTED_QUERY", "not_implemented": "UNSUPPORTED_QUERY",
		"fan_out_risk": "BACKEND_ERROR", "internal": "BACKEND_ERROR",
	} {
		got := ossie.FromEngineError(&planerr.Error{Code: own, Message: "words", Candidates: []string{"a"}})
		if got.Code != want || got.OwnCode != own || got.Message != "words" || len(got.Candidates) != 1 || got.Retryable() {
			t.Errorf("%s: %+v", own, got)
		}
	}
	for own, want := range map[string]struct {
		code      string
		retryable bool
	}{
		"timeout": {"TIMEOUT", true}, "busy": {"RESOURCE_LIMIT", true}, "forbidden": {"PERMISSION_DENIED", false}, "connection": {"BACKEND_ERROR", false},
	} {
		if got := ossie.FromEngineError(coded(own)); got.Code != want.code || got.OwnCode != own || got.Retryable() != want.retryable {
			t.Errorf("%s: %+v", own, got)
		}
	}
	same := &ossie.Error{Code: "SOURCE_UNAVAILABLE"}
	if got := ossie.FromEngineError(same); got != same {
		t.Errorf("%+v", got)
	}
}
