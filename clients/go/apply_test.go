package client_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
)

func TestSuggestion_MergesKeyByKey(t *testing.T) {
	for _, c := range []struct {
		name, suggestion string
		want             func(*client.MetricQuery)
	}{
		{"one key", `{"group_by":[{"field":"orders.status"}]}`, func(q *client.MetricQuery) { q.GroupBy = []client.GroupBy{{Field: "orders.status"}} }},
		{"several", `{"metrics":["a","b"],"limit":5}`, func(q *client.MetricQuery) { q.Metrics, q.Limit = []string{"a", "b"}, pointer(5) }},
		{"null removes", `{"where_sql":null,"time_range":null,"limit":null,"time_ranges":null}`, func(q *client.MetricQuery) {
			q.WhereSQL, q.TimeRange, q.Limit, q.TimeRanges = "", nil, nil, nil
		}},
		{"an object is replaced whole", `{"time_range":{"start":"2024-03-01"}}`, func(q *client.MetricQuery) { q.TimeRange = &client.TimeRange{Start: "2024-03-01"} }},
		{"ranges keep their order", `{"time_ranges":{"b":{"start":"1"},"a":{"end":"2"}}}`, func(q *client.MetricQuery) {
			q.TimeRanges = client.TimeRanges{{Tag: "b", Range: client.TimeRange{Start: "1"}}, {Tag: "a", Range: client.TimeRange{End: "2"}}}
		}},
		{"parameters keep their order and digits", `{"params":{"t":[1.50,2],"a":"x"}}`, func(q *client.MetricQuery) {
			q.Params = client.Params{{Name: "t", Value: []any{json.Number("1.50"), json.Number("2")}}, {Name: "a", Value: "x"}}
		}},
		{"an unknown key that is removed", `{"limit":1,"limt":null}`, func(q *client.MetricQuery) { q.Limit = pointer(1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, want := everything(), everything()
			c.want(&want)
			got, ok := (&client.Error{SuggestedRetry: c.suggestion}).ApplySuggestedRetry(before)
			if !ok {
				t.Fatal("not applied")
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(everything(), before); d != "" {
				t.Errorf("the query itself changed: %s", d)
			}
		})
	}
}

func TestSuggestion_NonFragmentNotMerged(t *testing.T) {
	t.Run("a suggestion that is not a fragment of a query is not merged", func(t *testing.T) {
		for _, suggestion := range []string{
			"", "declare the metric, select it and name it", `{}`, `null`, `[]`, `"x"`, `{"limit":1`, `{"limit":1} and so on`, `{"limit":"x"}`,
			`{"fields":["status"]}`, `{"group_by":[{"field":"a","fild":"b"}]}`, `{"time_ranges":{"a":{"strat":"1"}}}`, `{"Metrics":["a"]}`,
		} {
			got, ok := (&client.Error{SuggestedRetry: suggestion}).ApplySuggestedRetry(everything())
			if ok {
				t.Errorf("%s was applied", suggestion)
			}
			if d := cmp.Diff(everything(), got); d != "" {
				t.Errorf("%s: %s", suggestion, d)
			}
		}
	})
}

func TestSuggestion_OtherQueryTypes(t *testing.T) {
	t.Run("detail queries and attributions take suggestions like metric queries", func(t *testing.T) {
		d, ok := (&client.Error{SuggestedRetry: `{"from":"order_items"}`}).ApplySuggestedRetryToDetail(detail())
		if !ok || d.From != "order_items" || len(d.Fields) != 2 {
			t.Errorf("%+v", d)
		}
		a, ok := (&client.Error{SuggestedRetry: `{"dimensions":["orders.status"]}`}).ApplySuggestedRetryToAttribute(client.AttributeQuery{Metric: "revenue"})
		if !ok || cmp.Diff(client.AttributeQuery{Metric: "revenue", Dimensions: []string{"orders.status"}}, a) != "" {
			t.Errorf("%+v", a)
		}
	})
}
