package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// foundHits lists the hits of a question as texts.
func foundHits(t *testing.T, e *engine.Engine, body string) []string {
	t.Helper()
	q, err := query.DecodeFind([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	found, err := e.Find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range found.Hits {
		out = append(out, fmt.Sprintf("%s %s %s (%s) %s", h.Kind, h.Name, h.Value, h.Why, h.Use.WhereSQL))
	}
	return out
}

func TestIndexValues_MakesValuesKnownToFind(t *testing.T) {
	e := variedShop(t)
	if got := foundHits(t, e, `{"q":"northeast","kinds":["value"]}`); got != nil {
		t.Errorf("before the values are read: %q", got)
	}
	// Of the text dimensions one has six different values and null, and two have two.
	for n, want := range map[int]int{0: 0, 1: 0, 2: 2, 5: 2, 6: 3, 1000: 3} {
		if fields, err := variedShop(t).IndexValues(t.Context(), n); err != nil || fields != want {
			t.Errorf("with at most %d values %d fields: %v", n, fields, err)
		}
	}
	if _, err := e.IndexValues(t.Context(), 200); err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string][]string{
		`{"q":"revenue in the northeast","limit":2}`: {"metric revenue  (name: revenue) ", "value customers.region Northeast (value: northeast) customers.region = 'Northeast'"},
		`{"q":"it's","kinds":["value"]}`:             {"value customers.region it's (value: s) customers.region = 'it''s'"},
		`{"q":"CANCELLED","limit":1}`:                {"value orders.status cancelled (value: cancelled) orders.status = 'cancelled'"},
		`{"q":"toys","metrics":["revenue"]}`:         {"value products.category toys (value: toys) products.category = 'toys'"},
		`{"q":"toys","metrics":["customers"]}`:       foundHits(t, variedShop(t), `{"q":"toys","metrics":["customers"]}`),
		`{"q":"revenue","kinds":["value"]}`:          nil,
		`{"q":"customers.region","limit":1}`:         {"dimension customers.region  (name: region; dataset: customers) "},
	} {
		if d := cmp.Diff(want, foundHits(t, e, body)); d != "" {
			t.Errorf("%s: %s", body, d)
		}
	}
	if e.RunningExecutions() != 0 {
		t.Error("a slot was not released")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := variedShop(t).IndexValues(ended, 200); codeOf(err) != "timeout" {
		t.Errorf("with an ended context: %v", err)
	}
}

// Four fields of nine million letters are more than the index keeps.
func TestIndexValues_BoundsTheTextsOfAllFields(t *testing.T) {
	model := "version: 0.2.0.dev0\nname: notes\ndatasets:\n  - name: notes\n    source: notes\n    fields:\n"
	for _, field := range []string{"a", "b", "c", "d"} {
		model += "      - {name: " + field + ", datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: " + field + "}]}}\n"
	}
	e := open(t, engine.Config{ModelText: []byte(model), Setup: []string{
		"CREATE TABLE notes AS SELECT repeat('a', 9000000) AS a, repeat('b', 9000000) AS b, repeat('c', 9000000) AS c, repeat('d', 9000000) AS d",
	}})
	if fields, err := e.IndexValues(t.Context(), 10); err != nil || fields != 3 {
		t.Errorf("%d fields in the index, want 3: %v", fields, err)
	}
}
