package query_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

func TestDecodeModel_TakesText(t *testing.T) {
	if got, err := query.DecodeValidateBody([]byte(`{"model": "version: 1\n"}`)); err != nil || got != "version: 1\n" {
		t.Errorf("%q %v", got, err)
	}
	if got, err := query.DecodeValidateBody([]byte(`{"model": ""}`)); err != nil || got != "" {
		t.Errorf("%q %v", got, err)
	}
	for _, body := range []string{``, `{}`, `[]`, `{"model":{}}`, `{"model":null}`, `{"modle":"x"}`, `{"model":"x","mode":"basic"}`, `{"model":"a","model":"b"}`, `{"model":"a"}x`} {
		_, err := query.DecodeValidateBody([]byte(body))
		var perr *planerr.Error
		if !errors.As(err, &perr) || perr.Code != "bad_request" || perr.SuggestedRetry != "" {
			t.Errorf("%s: %v", body, err)
		}
	}
}
