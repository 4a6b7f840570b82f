package paritytest_test

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Values that callers put where others belong.
var oddValues = []any{
	nil, true, "true", 0, -1, 1.5, "10", "", "revenue", "-revenue", "orders.order_date:Month", "customers.region = \"north\"", []any{}, []any{"a", "b"}, []any{[]any{}},
	map[string]any{}, map[string]any{"field": "customers.region"}, map[string]any{"from": "2024-01-01", "to": "2025-01-01"}, "[\"revenue\"]", "\x00", "é",
	map[string]any{"key": "revenue", "direction": "desc"}, []any{map[string]any{"revenue": "desc"}}, "{",
}

var oddKeys = []string{
	"metrics", "group_by", "where_sql", "context_filter", "time_range", "time_ranges", "order_by", "limit", "offset", "params", "dialect", "pretty", "saved", "with",
	"distinct", "from", "fields", "totals", "shares", "compare", "top", "fill", "fan_out", "as_of", "time_zone", "week_start", "filter", "filters", "measures",
	"dimensions", "groupBy", "sort", "dateRange", "where", "metric", "nonsense",
}

// A tool answers any arguments with the bytes of the HTTP interface, and never with a failure of the server.
func TestSurfaces_BrokenArgumentsReturnSameBytes(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	m := open(t, filepath.Join(testdata, "fixtures", "retail", "model.yaml"))
	r := rand.New(rand.NewPCG(28, 55))
	calls, refused := 3000, 0
	if testing.Short() {
		calls = 300
	}
	for range calls {
		section, body := "query.json", map[string]any{"metrics": []any{"revenue"}, "group_by": []any{map[string]any{"field": "customers.region"}}}
		if r.IntN(4) == 0 {
			section, body = "select.json", map[string]any{"from": "orders", "fields": []any{"order_id"}}
		}
		for range 1 + r.IntN(3) {
			body[oddKeys[r.IntN(len(oddKeys))]] = oddValues[r.IntN(len(oddValues))]
		}
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		p := planes()[section]
		want := m.overHTTP(t, p, text)
		if want.Refused {
			refused++
		}
		var e struct{ Code string }
		if err := json.Unmarshal([]byte(want.Body), &e); err != nil || e.Code == "internal" {
			t.Fatalf("%s: %s", text, want.Body)
		}
		if d := cmp.Diff(withFirstCandidates(t, want), m.asTool(t, p, text)); d != "" {
			t.Fatalf("%s: over HTTP (-) and as a tool (+):\n%s", text, d)
		}
	}
	if refused < calls/2 || refused == calls {
		t.Errorf("%d of %d are refused", refused, calls)
	}
}
