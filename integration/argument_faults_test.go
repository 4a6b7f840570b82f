package integration_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// argumentFaults are faults of shape that callers make. Each returns the value of a key in the wrong shape and the name
// that it is given, "" to leave the key as it is.
var argumentFaults = map[string]func(*rand.Rand, any) (any, string){
	"metrics": func(r *rand.Rand, v any) (any, string) {
		list, ok := texts(v)
		switch {
		case !ok:
			return nil, ""
		case len(list) == 1 && r.IntN(2) == 0:
			return list[0], pick(r, "metrics", "measures", "metric")
		}
		return v, pick(r, "measures", "Metrics", "metrcis")
	},
	"group_by": func(r *rand.Rand, v any) (any, string) {
		var out []string
		for _, item := range objects(v) {
			grain, _ := item["grain"].(string)
			field, ok := item["field"].(string)
			if !ok || item["name"] != nil {
				return nil, ""
			}
			if _, ok := sqlexpr.ParseGrain(grain); ok && r.IntN(3) == 0 {
				grain = strings.ToUpper(grain[:1]) + grain[1:]
			}
			part, _ := item["part"].(string)
			out = append(out, strings.TrimSuffix(field+":"+grain+part, ":"))
		}
		return out, pick(r, "group_by", "dimensions", "groupBy", "groupby")
	},
	"order_by": func(r *rand.Rand, v any) (any, string) {
		var out []any
		for _, item := range objects(v) {
			key, _ := item["key"].(string)
			switch desc, _ := item["desc"].(bool); {
			case desc && r.IntN(2) == 0:
				out = append(out, "-"+key)
			case desc:
				out = append(out, pick(r, key+" desc", key+" DESC"))
			case r.IntN(2) == 0:
				out = append(out, key)
			default:
				out = append(out, map[string]any{pick(r, "field", "column"): key, "direction": "asc"})
			}
		}
		return out, pick(r, "order_by", "orderBy", "sort")
	},
	"limit": func(_ *rand.Rand, v any) (any, string) { return fmt.Sprint(v), "limit" },
	"time_range": func(r *rand.Rand, v any) (any, string) {
		bounds, _ := v.(map[string]any)
		if len(bounds) == 2 && bounds["start"] != nil && bounds["end"] != nil {
			if r.IntN(2) == 0 {
				return []any{bounds["start"], bounds["end"]}, pick(r, "time_range", "dateRange", "date_range")
			}
			return map[string]any{"from": bounds["start"], "to": bounds["end"]}, "time_range"
		}
		return nil, ""
	},
	"where_sql": func(r *rand.Rand, v any) (any, string) { return v, pick(r, "filter", "where", "filters") },
	"fields":    func(r *rand.Rand, v any) (any, string) { return v, pick(r, "columns", "field") },
	"distinct":  func(r *rand.Rand, _ any) (any, string) { return pick(r, "true", "True"), "distinct" },
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

func texts(v any) ([]any, bool) {
	list, _ := v.([]any)
	for _, x := range list {
		if _, ok := x.(string); !ok {
			return nil, false
		}
	}
	return list, len(list) > 0
}

func objects(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, x := range list {
		if o, ok := x.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// decodeBody reads a body with its numbers as they are.
func decodeBody(t *testing.T, text string) (body map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&body); err != nil {
		t.Fatal(err)
	}
	return body
}

// TestArguments_OneRetryCorrectsEveryFaultOfShape breaks the bodies of the corpus in several ways at once. The error of a
// broken body has one retry that gives the SQL of the sound body.
func TestArguments_OneRetryCorrectsEveryFaultOfShape(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 5))
	broken, faults := 0, 0
	for _, c := range cases(t) {
		if c.ExpectsError() || len(c.Dialects) > 0 || strings.Contains(c.QueryJSON(), "null") { // merge drops every null
			continue
		}
		s := subjectOf(t, c)
		sound, err := json.Marshal(decodeBody(t, c.QueryJSON())) // the order of its keys is that of broken bodies
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := s.compileFor(t.Context(), c, sound, "duckdb", false)
		if err != nil {
			continue
		}
		for range 3 {
			body, changed := decodeBody(t, c.QueryJSON()), 0
			for key, fault := range argumentFaults {
				value, given := body[key]
				if !given || value == nil || r.IntN(2) == 0 || key == "where_sql" && body["context_filter"] == nil && body["from"] != nil && body["metrics"] == nil {
					continue
				}
				if wrong, name := fault(r, value); name != "" {
					delete(body, key)
					body[name] = wrong
					changed++
				}
			}
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = s.compileFor(t.Context(), c, text, "duckdb", false)
			if err == nil || changed == 0 {
				continue // such as the name of a group-by in a list of texts
			}
			var e *planerr.Error
			if !errors.As(err, &e) || e.Code != "bad_request" && e.Code != "unknown_query_key" || !strings.HasPrefix(e.SuggestedRetry, "{") {
				t.Errorf("%s: %v\n%s", c.Name, err, text)
				continue
			}
			broken++
			faults += changed
			_, got, err := s.compileFor(t.Context(), c, merge(t, text, e.SuggestedRetry), "duckdb", false)
			if err != nil || got.SQL != want.SQL {
				t.Errorf("%s: %v\n%s\n%s", c.Name, err, text, e.SuggestedRetry)
			}
		}
	}
	floor.CheckCount(t, "bodies", broken, 1500)
	floor.CheckCount(t, "faults", faults, 3000)
}
