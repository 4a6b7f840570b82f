package query_test

import (
	"encoding/json"
	"testing"

	"github.com/semlayer/semlayer/planner/query"
)

// An absent key of rank, null and a value are three things: they survive writing, and are three entries of a cache.
func TestTopRank_DistinguishesAbsentKeysFromNull(t *testing.T) {
	keys := map[string]string{}
	for _, rank := range []string{
		`{}`, `{"where_sql":null}`, `{"where_sql":"a > 1"}`, `{"time_range":null}`, `{"where_sql":null,"time_range":{"last":{"n":1,"unit":"year"}}}`,
		`{"where_sql":"a > 1","time_range":{"start":"2024-01-01"}}`,
	} {
		body := `{"metrics":["m"],"top":{"dimension":"a","n":1,"rank":` + rank + `}}`
		q, err := query.DecodeMetric([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(q.Top.Rank)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if json.Unmarshal(written, &got) != nil || json.Unmarshal([]byte(rank), &want) != nil || mustJSON(t, got) != mustJSON(t, want) {
			t.Errorf("%s is written as %s", rank, written)
		}
		key := string(q.AppendCacheKey(nil))
		if other, taken := keys[key]; taken {
			t.Errorf("%s and %s have one cache key", rank, other)
		}
		keys[key] = rank
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
