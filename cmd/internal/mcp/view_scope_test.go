package mcp_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/demo"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// retailViews are two views of the demo, with a saved query in each and one in none.
const retailViews = `    custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "views": [
        {"name": "web_shop", "description": "Sales on the web.", "ai_context": "Name the channel.", "metrics": ["revenue"], "fields": ["orders.channel", "orders.order_date", "customers.region"],
         "where": "orders.channel = 'web'", "labels": {"customers.region": "Area"}},
        {"name": "returned", "metrics": ["refunds"], "fields": ["returns.*"]}],
       "queries": [
        {"name": "web_areas", "questions": ["Where?"], "query": {"view": "web_shop", "metrics": ["revenue"], "group_by": [{"field": "customers.region"}]}},
        {"name": "refunds_of_all", "questions": ["How much?"], "query": {"view": "returned", "metrics": ["refunds"]}},
        {"name": "all_revenue", "questions": ["How much?"], "query": {"metrics": ["revenue"]}}]}
`

func retailWithViews(t *testing.T) *engine.Engine {
	t.Helper()
	head, _, _ := bytes.Cut(demo.ModelText(), []byte("\n    custom_extensions:"))
	text := string(head) + "\n" + strings.ReplaceAll(retailViews, "\n", "\n    ")
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: warehouses.Drivers(), ModelText: []byte(text), Setup: []string{demo.DataSQL()}, MaxExecutions: 2, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// sessionsInView are the two ways into a view: the engine of the view, and the address of a server of the whole model.
func sessionsInView(t *testing.T, e *engine.Engine, view string) map[string]*sdk.ClientSession {
	t.Helper()
	scoped, err := e.InView(view)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(server(e, mcp.Config{}).Handler(false, new(mcp.CancelFuncsOfCalls)))
	t.Cleanup(front.Close)
	return map[string]*sdk.ClientSession{
		"lines":   direct(t, scoped, mcp.Config{}),
		"address": connect(t, &sdk.StreamableClientTransport{Endpoint: front.URL + "/mcp?view=" + view, DisableStandaloneSSE: true}),
	}
}

func TestViewScope_EveryToolIsInTheView(t *testing.T) {
	e := retailWithViews(t)
	for name, session := range sessionsInView(t, e, "web_shop") {
		instructions := session.InitializeResult().Instructions
		for _, part := range []string{"its view web_shop", "Sales on the web.", "Metrics: revenue.", "Name the channel."} {
			if !strings.Contains(instructions, part) {
				t.Errorf("%s: the instructions lack %q:\n%s", name, part, instructions)
			}
		}
		for call, want := range map[[2]string]string{
			{"list_metrics", ``}:                                          `[{"name":"revenue",`,
			{"list_dimensions", ``}:                                       `[{"name":"orders.channel",`,
			{"list_datasets", ``}:                                         `[{"name":"orders",`,
			{"find", `{"q":"area"}`}:                                      `{"query":"area","hits":[{"kind":"dimension","name":"customers.region",`,
			{"find", `{"q":"refunds"}`}:                                   `{"query":"refunds","hits":[{"kind":"metric","name":"revenue",`,
			{"values", `{"field":"orders.channel"}`}:                      `{"field":"orders.channel","values":[{"value":"web",`,
			{"compatible", `{"metrics":[]}`}:                              `{"metrics":["revenue"],`,
			{"describe_metric", `{"metric":"refunds"}`}:                   `{"code":"unknown_metric",`,
			{"run_query", `{"metrics":["refunds"]}`}:                      `{"code":"unknown_metric",`,
			{"run_query", `{"saved":"refunds_of_all"}`}:                   `{"code":"unknown_saved_query",`,
			{"run_query", `{"saved":"all_revenue"}`}:                      `{"code":"unknown_saved_query",`,
			{"compile_sql", `{"view":"returned","metrics":["refunds"]}`}:  `{"code":"unknown_view",`,
			{"select", `{"from":"returns","fields":["refund"]}`}:          `{"code":"unknown_dataset",`,
			{"run_sql", `{"sql":"SELECT MEASURE(revenue) FROM retail"}`}:  `{"code":"unknown_dataset",`,
			{"run_sql", `{"sql":"SELECT MEASURE(refunds) FROM returns"}`}: `{"code":"unknown_dataset",`,
		} {
			if got, _, _ := callTool(t, session, call[0], call[1]); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %v\ngot  %.300s\nwant %s", name, call, got, want)
			}
		}
		const byRegion = `"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}]}`
		whole, _, _ := callTool(t, direct(t, e, mcp.Config{}), "run_query", `{"view":"web_shop",`+byRegion)
		if got, _, _ := callTool(t, session, "run_query", `{`+byRegion); rowsOf(t, got) != rowsOf(t, whole) {
			t.Errorf("%s: %s\ngot  %s\nwant %s", name, byRegion, got, whole)
		}
		prompts, err := session.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range prompts.Prompts {
			names = append(names, p.Name)
		}
		if !slices.Equal(names, []string{"web_areas"}) {
			t.Errorf("%s: prompts %q", name, names)
		}
	}
}

func rowsOf(t *testing.T, answer string) string {
	t.Helper()
	_, rows, ok := strings.Cut(answer, `"rows":`)
	if !ok {
		t.Fatalf("no rows in %s", answer)
	}
	return rows
}

func TestViewScope_UnknownViewOfAnAddress(t *testing.T) {
	front := httptest.NewServer(server(retailWithViews(t), mcp.Config{}).Handler(false, new(mcp.CancelFuncsOfCalls)))
	t.Cleanup(front.Close)
	r, err := http.Post(front.URL+"/mcp?view=web_shoq", "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"id":7`, `"data":{"code":"unknown_view"`, `"candidates":["web_shop"`} {
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), part) {
			t.Errorf("%d, without %s: %s", r.StatusCode, part, body)
		}
	}
}
