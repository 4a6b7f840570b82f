package client_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
)

// pointer is new(n) of Go 1.26; the module compiles with Go 1.25.
func pointer(n int) *int { return &n }

func everything() client.MetricQuery {
	return client.MetricQuery{
		Metrics:       []string{"revenue"},
		GroupBy:       []client.GroupBy{{Field: "orders.order_date", Grain: "month"}, {Field: "orders.order_date", Part: "day_of_week"}, {Field: "customers.region"}},
		WhereSQL:      "a < 'é' AND b > 1",
		ContextFilter: "c = 1",
		TimeRange:     &client.TimeRange{Start: "2024-01-01", End: "2025-01-01", Dimension: "orders.order_date"},
		TimeRanges: client.TimeRanges{
			{Tag: "now", Range: client.TimeRange{Start: "2024-02-01"}},
			{Tag: "before", Range: client.TimeRange{End: "2024-02-01"}},
		},
		OrderBy: []client.OrderBy{{Key: "revenue", Desc: true}, {Key: "region"}},
		Limit:   pointer(0),
		Params: client.Params{
			{Name: "z", Value: []int{50, 100}},
			{Name: "a", Value: "x"},
			{Name: "big", Value: json.Number("12345678901234567890.10")},
			{Name: "b", Value: []any{true, 1.5}},
		},
		Dialect: "postgres", Pretty: true, Connection: "prod",
	}
}

const everyKey = `{"metrics":["revenue"],"group_by":[{"field":"orders.order_date","grain":"month"},{"field":"orders.order_date","part":"day_of_week"},{"field":"customers.region"}],` +
	`"where_sql":"a < 'é' AND b > 1","context_filter":"c = 1",` +
	`"time_range":{"start":"2024-01-01","end":"2025-01-01","dimension":"orders.order_date"},` +
	`"time_ranges":{"now":{"start":"2024-02-01"},"before":{"end":"2024-02-01"}},` +
	`"order_by":[{"key":"revenue","desc":true},{"key":"region"}],"limit":0,` +
	`"params":{"z":[50,100],"a":"x","big":12345678901234567890.10,"b":[true,1.5]},` +
	`"dialect":"postgres","pretty":true,"connection":"prod"}`

func TestQuery_KeepsKeyOrder(t *testing.T) {
	server, asked := serve(t, 200, "application/json", `{"plan":""}`)
	if _, err := server.Explain(ctx, everything()); err != nil {
		t.Fatal(err)
	}
	unescaped := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(asked.body)
	if d := cmp.Diff(everyKey, unescaped); d != "" {
		t.Error(d)
	}
}

func TestQuery_RoundTrips(t *testing.T) {
	var q client.MetricQuery
	if err := json.Unmarshal([]byte(everyKey), &q); err != nil {
		t.Fatal(err)
	}
	want := everything()
	want.Params[0].Value = []any{json.Number("50"), json.Number("100")}
	want.Params[3].Value = []any{true, json.Number("1.5")}
	if d := cmp.Diff(want, q); d != "" {
		t.Error(d)
	}
}

// The JSON package replaces bytes that are not UTF-8, and a condition on other
// text would match other rows.
func TestQuery_RejectsInvalidUTF8(t *testing.T) {
	server, asked := serve(t, 200, "application/json", `{"plan":""}`)
	for _, text := range []string{"M\xfcller", `\` + "\xff"} {
		if _, err := server.Explain(ctx, client.MetricQuery{WhereSQL: text}); err == nil || asked.method != "" {
			t.Errorf("%q was sent as %s", text, asked.body)
		}
	}
	for _, text := range []string{"\uFFFD", `\ufffd`, `\\ufffd`} {
		if _, err := server.Explain(ctx, client.MetricQuery{WhereSQL: text}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		var sent struct {
			WhereSQL string `json:"where_sql"`
		}
		if err := json.Unmarshal([]byte(asked.body), &sent); err != nil || sent.WhereSQL != text {
			t.Errorf("%q was sent as %s", text, asked.body)
		}
	}
	if _, err := server.Explain(ctx, client.MetricQuery{Params: client.Params{{Name: "t", Value: func() {}}}}); err == nil {
		t.Error("a function was sent")
	}
}
