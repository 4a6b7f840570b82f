package pgwire

import (
	"testing"

	"github.com/semlayer/semlayer/engine"
)

func TestErrorResponse_SetsTheConnectionThatARetryNames(t *testing.T) {
	for _, tt := range []struct {
		failed engine.ExecuteError
		hint   string
	}{
		{engine.ExecuteError{Candidates: []string{"a", "b's"}, SuggestedRetry: `{"connection":"b's"}`, Hint: "words"}, "SET semlayer.connection = 'b''s'"},
		{engine.ExecuteError{Candidates: []string{"a", "b"}, Hint: "words"}, "SET semlayer.connection = 'a'"},
		{engine.ExecuteError{Hint: "words"}, "words"},
	} {
		tt.failed.Code, tt.failed.Message = "sql_rejected", "no such table"
		got := errorResponse(t.Context(), &tt.failed)
		if got.Hint != tt.hint || got.Message != tt.failed.Message {
			t.Errorf("%+v: %+v", tt.failed, got)
		}
	}
}
