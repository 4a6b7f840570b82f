package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/query"
)

// manyFields is a service with more dimensions than a list holds.
type manyFields struct{ fake }

func (f manyFields) Dimensions(context.Context, string) ([]describe.Dimension, error) {
	out := make([]describe.Dimension, 150)
	for i := range out {
		out[i] = describe.Dimension{Name: fmt.Sprintf("orders.field_%03d", i), Datatype: "String", Description: strings.Repeat("d", 100)}
	}
	return out, nil
}

func (f manyFields) Metric(_ context.Context, name string) (describe.Metric, error) {
	return describe.Metric{Name: name}, nil
}

func (f manyFields) MetricDefinition(context.Context, string) (*engine.MetricDefinition, error) {
	return &engine.MetricDefinition{Definition: "SUM(orders.amount)", Example: &query.MetricQuery{Metrics: []string{"m"}}}, nil
}

func (f manyFields) MatchingNames(kind, text string) map[string]bool {
	if kind != "dimension" || text != "seven" {
		return nil
	}
	return map[string]bool{"orders.field_007": true}
}

// A list that is too long is compact, and its pages partition it. detail brings all of each element back.
func TestLists_AreCompactWhenLong(t *testing.T) {
	session := direct(t, manyFields{}, mcp.Config{})
	var names []string
	for offset := 0; offset < 150; {
		text, notes, _ := callTool(t, session, "list_dimensions", fmt.Sprintf(`{"offset":%d}`, offset))
		if n := len(text) + len(strings.Join(notes, "")); n > 8000 {
			t.Errorf("%d bytes", n)
		}
		var page []describe.Dimension
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		if len(page) == 150-offset && strings.Contains(text, `"description"`) { // the rest fits as a whole
			break
		}
		if first := fmt.Sprintf(`[{"name":"orders.field_%03d","datatype":"String"},`, offset); !strings.HasPrefix(text, first) || strings.Contains(text, "description") {
			t.Fatalf("not compact: %.200s", text)
		}
		for _, d := range page {
			names = append(names, d.Name)
		}
		offset += len(page)
		want := "detail shows all properties of each. find ranks names by the words of a question."
		if offset < 150 {
			want = fmt.Sprintf("There are %d more of 150: continue with offset %d, or narrow the list with search. %s", 150-offset, offset, want)
		}
		if d := cmp.Diff([]string{want}, notes); d != "" {
			t.Error(d)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) || len(names) < 60 {
		t.Errorf("%d names", len(names))
	}
	whole, notes, _ := callTool(t, session, "list_dimensions", `{"detail":true}`)
	if strings.Count(whole, `"description"`) != 150 || len(notes) > 0 {
		t.Errorf("%v: %.300s", notes, whole)
	}
	few, notes, _ := callTool(t, session, "list_dimensions", `{"limit":2,"offset":3}`)
	if strings.Count(few, `"description"`) != 2 || !strings.HasPrefix(few, `[{"name":"orders.field_003"`) || len(notes) != 1 || !strings.Contains(notes[0], "145 more of 150: continue with offset 5") {
		t.Errorf("%v: %.300s", notes, few)
	}
}

func TestLists_SearchAsFind(t *testing.T) {
	session := direct(t, manyFields{}, mcp.Config{})
	for _, c := range []struct{ search, first, note string }{
		{"seven", "orders.field_007", ""},
		{"FIELD_012", "orders.field_012", ""},
		{"nothing like it", "", "No dimension matches. find ranks names by the words of a question."},
	} {
		text, notes, _ := callTool(t, session, "list_dimensions", fmt.Sprintf(`{"search":%q}`, c.search))
		var page []describe.Dimension
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		if (c.first == "") != (len(page) == 0) || len(page) > 0 && (page[0].Name != c.first || len(page) > 1) || strings.Join(notes, "") != c.note {
			t.Errorf("%s: %v %s", c.search, notes, text)
		}
	}
	// Words match as in find, and the list keeps its own order.
	text, _, _ := callTool(t, direct(t, retail(t), mcp.Config{}), "list_metrics", `{"search":"revenues cancelled"}`)
	var found []describe.Metric
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range found {
		names = append(names, m.Name)
	}
	if !slices.Contains(names, "cancelled_revenue") || len(names) == 0 || names[0] != "revenue" {
		t.Errorf("%v", names)
	}
}

func TestDescribeMetric_HasAtMostSixtyDimensions(t *testing.T) {
	text, _, _ := callTool(t, direct(t, manyFields{}, mcp.Config{}), "describe_metric", `{"metric":"m"}`)
	var got struct {
		Dimensions []describe.Dimension
		Count      int `json:"dimension_count"`
		Note       string
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Dimensions) != 60 || got.Count != 150 || !strings.Contains(got.Note, "list_dimensions") {
		t.Errorf("%d of %d: %s", len(got.Dimensions), got.Count, got.Note)
	}
}

// A large result is in the text alone: a client that keeps both would hold it twice.
func TestResults_AreNotDoubledWhenLarge(t *testing.T) {
	session := direct(t, numbered(2000), mcp.Config{MaxRows: 1000})
	text, _, result := callTool(t, session, "run_query", `{"metrics":["n"]}`)
	if len(text) <= 4000 || result.StructuredContent != nil {
		t.Errorf("%d bytes, structured: %v", len(text), result.StructuredContent != nil)
	}
	text, _, result = callTool(t, direct(t, numbered(3), mcp.Config{}), "run_query", `{"metrics":["n"]}`)
	if len(text) > 4000 || result.StructuredContent == nil {
		t.Errorf("%d bytes, structured: %v", len(text), result.StructuredContent != nil)
	}
}
