package query_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

func TestRollups_AreABooleanOrOnly(t *testing.T) {
	for body, want := range map[string]query.Rollups{
		`{"metrics":["m"]}`:                  query.RollupsAllowed,
		`{"metrics":["m"],"rollups":null}`:   query.RollupsAllowed,
		`{"metrics":["m"],"rollups":true}`:   query.RollupsAllowed,
		`{"metrics":["m"],"rollups":false}`:  query.RollupsOff,
		`{"metrics":["m"],"rollups":"only"}`: query.RollupsOnly,
	} {
		q, err := query.DecodeMetric([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := q.Rollups.Or(query.RollupsAllowed); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

func TestRollups_OtherValuesAreBadRequests(t *testing.T) {
	for value, retry := range map[string]string{
		`"true"`: `{"rollups":true}`, `"ONLY"`: `{"rollups":"only"}`, `"never"`: "", `1`: "", `[true]`: "", `{}`: "",
	} {
		_, err := query.DecodeMetric([]byte(`{"metrics":["m"],"rollups":` + value + `}`))
		var e *planerr.Error
		if !errors.As(err, &e) || e.Code != planerr.CodeBadRequest {
			t.Errorf("%s: %v, want bad_request", value, err)
			continue
		}
		if e.SuggestedRetry != retry {
			t.Errorf("%s: the retry is %q, want %q", value, e.SuggestedRetry, retry)
		}
	}
}

// Records never come from a rollup, but records have an age.
func TestRollups_AreNoKeyOfADetailQuery(t *testing.T) {
	_, err := query.DecodeDetail([]byte(`{"from":"orders","fields":["a"],"rollups":true}`))
	var e *planerr.Error
	if !errors.As(err, &e) || e.Code != planerr.CodeUnknownQueryKey {
		t.Errorf("%v, want unknown_query_key", err)
	}
	if _, err := query.DecodeDetail([]byte(`{"from":"orders","fields":["a"],"max_age":0}`)); err != nil {
		t.Error(err)
	}
}

func TestMaxAge_IsACountOfSeconds(t *testing.T) {
	for _, value := range []string{`-1`, `1.5`, `"x"`, `true`} {
		for _, decode := range []func([]byte) error{
			func(b []byte) error { _, err := query.DecodeMetric(b); return err },
			func(b []byte) error { _, err := query.DecodeDetail(b); return err },
			func(b []byte) error { _, err := query.DecodeAttribute(b); return err },
			func(b []byte) error { _, err := query.DecodeSQL(b); return err },
		} {
			err := decode([]byte(`{"max_age":` + value + `}`))
			var e *planerr.Error
			if !errors.As(err, &e) || e.Code != planerr.CodeBadRequest {
				t.Errorf("%s: %v, want bad_request", value, err)
			}
		}
	}
	q, err := query.DecodeSQL([]byte(`{"sql":"SELECT 1","rollups":"only","max_age":0}`))
	if err != nil || q.MaxAge == nil || *q.MaxAge != 0 || q.Rollups.Or(query.RollupsAllowed) != query.RollupsOnly {
		t.Errorf("%+v, %v", q, err)
	}
}
