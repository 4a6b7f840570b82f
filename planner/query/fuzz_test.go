package query_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// What the decoder accepts, the standard library accepts as well and reads the
// same strings from; what it rejects carries one of two codes.
func FuzzDecodeMetric(f *testing.F) {
	for _, seed := range []string{
		everyMetricKey, "", "{}", "null", `{"metrics":["a"]}`, `{"metrcis":["a"],"order_by":[{"kye":"a"}]}`,
		`{"metrics":["\ud83d\ude00","\ud800"]}`, `{"limit":1e3}`, `{"params":{"t":[1,-0.5e-7,"x"]}}`,
		`{"group_by":[{"feild":"a"}],"time_ranges":{"a":{"b":{}}}}`, `[[[[`, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := query.DecodeMetric(body)
		if err != nil {
			var perr *planerr.Error
			if !errors.As(err, &perr) || (perr.Code != "bad_request" && perr.Code != "unknown_query_key") || !utf8.ValidString(perr.Message) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if !json.Valid(body) {
			t.Fatalf("accepted what is no JSON: %q", body)
		}
		var twin struct {
			Metrics  []string `json:"metrics"`
			WhereSQL string   `json:"where_sql"`
			Limit    *int64   `json:"limit"`
		}
		if err := json.NewDecoder(bytes.NewReader(body)).Decode(&twin); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", body, err)
		}
		if len(twin.Metrics) != len(q.Metrics) || twin.WhereSQL != q.WhereSQL || (twin.Limit == nil) != (q.Limit == nil) {
			t.Fatalf("%q: %+v and %+v", body, twin, q)
		}
		for i, m := range twin.Metrics {
			if m != q.Metrics[i] {
				t.Fatalf("%q: metric %d is %q and %q", body, i, m, q.Metrics[i])
			}
		}
	})
}

// An unknown key's retry is a JSON object that removes or renames every unknown
// key, with which the body is accepted, or words where there is none.
func FuzzUnknownKey_RetryIsAccepted(f *testing.F) {
	f.Add(`metrcis`, `["a"]`)
	f.Add(`groupby`, `[{"feild":"x","grain":"day"}]`)
	f.Add(`time_ranges`, `{"a":{"strat":"x"}}`)
	f.Fuzz(func(t *testing.T, name, value string) {
		key, err := json.Marshal(name)
		if err != nil || !json.Valid([]byte(value)) {
			return
		}
		body := `{"metrics":["a"],` + string(key) + `:` + value + `}`
		var perr *planerr.Error
		if _, err := query.DecodeMetric([]byte(body)); !errors.As(err, &perr) || perr.Code != "unknown_query_key" {
			return
		}
		if !json.Valid([]byte(perr.SuggestedRetry)) {
			for _, words := range []string{"use ", "write ", "rename or remove: "} {
				if strings.HasPrefix(perr.SuggestedRetry, words) {
					return
				}
			}
			t.Fatalf("%s: retry %s", body, perr.SuggestedRetry)
		}
		if _, err := query.DecodeMetric([]byte(merge(t, body, perr.SuggestedRetry))); err != nil {
			t.Fatalf("%s patched with %s is refused: %v", body, perr.SuggestedRetry, err)
		}
	})
}
