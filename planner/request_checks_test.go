package planner_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

func TestNames_OfRequestDiffer(t *testing.T) {
	cat, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 128)
	for _, c := range []struct{ body, key, renamed string }{
		{`{"metrics":[{"name":"a","expression":"SUM(orders.amount)"},{"name":"a","expression":"COUNT(orders.amount)"}]}`, "metrics",
			`[{"name":"a","expression":"SUM(orders.amount)"},{"name":"a_2","expression":"COUNT(orders.amount)"}]`},
		{`{"metrics":["a",{"name":"a","expression":"SUM(orders.amount)"},"a_2"]}`, "metrics",
			`["a",{"name":"a_3","expression":"SUM(orders.amount)"},"a_2"]`},
		{`{"metrics":[{"name":"a","expression":"SUM(orders.amount)"},"a"]}`, "metrics",
			`[{"name":"a_2","expression":"SUM(orders.amount)"},"a"]`},
		{`{"metrics":[{"name":"` + long + `","expression":"SUM(orders.amount)"},"` + long + `"]}`, "metrics",
			`[{"name":"` + long[:126] + `_2","expression":"SUM(orders.amount)"},"` + long + `"]`},
		{`{"metrics":["revenue"],"with":[{"dataset":"orders","name":"a","expression":"amount"},{"dataset":"products","name":"a","expression":"cost"},{"dataset":"orders","name":"a","expression":"1"}]}`, "with",
			`[{"dataset":"orders","name":"a","expression":"amount"},{"dataset":"products","name":"a","expression":"cost"},{"dataset":"orders","name":"a_2","expression":"1"}]`},
	} {
		_, err := planner.New(cat).PlanMetrics(t.Context(), decoded(t, query.DecodeMetric, c.body), duckdb)
		var refused *planerr.Error
		if !errors.As(err, &refused) || refused.Code != planerr.CodeDuplicateOutputName {
			t.Errorf("%.80s: %v", c.body, err)
			continue
		}
		if text := fragmentText(t, refused.Fragment[c.key]); text != c.renamed {
			t.Errorf("%.80s: %s, want %s", c.body, text, c.renamed)
		}
	}
}

func fragmentText(t *testing.T, fragment any) string {
	t.Helper()
	text, err := json.Marshal(fragment)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
