package mcp_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// savedModel has a saved query of each kind over three sales: 10 and 5 in the east, 2 in the west.
const savedModel = `version: 0.2.0.dev0
name: sales
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v":"1.10","queries":[
      {"name":"by_region","params":[{"name":"least","type":"int","min":0,"max":100}],
      "query":{"metrics":["revenue"],"group_by":[{"field":"sales.region"}],"where_sql":"sales.amount >= :least","order_by":[{"key":"region"}]}},
      {"name":"largest","select":{"from":"sales","fields":["sales.amount"],"order_by":[{"key":"amount","desc":true}],"limit":1}},
      {"name":"january","attribute":{"metric":"revenue","dimensions":["sales.region"],
      "baseline":{"start":"2024-01-01","end":"2024-01-02"},"current":{"start":"2024-01-02","end":"2024-01-04"}}}]}
datasets:
  - name: sales
    source: SELECT * FROM (VALUES (DATE '2024-01-01', 'east', 10), (DATE '2024-01-02', 'east', 5), (DATE '2024-01-03', 'west', 2)) AS t(day, region, amount)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
`

func savedEngine(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: warehouses.Drivers(), ModelPath: "sales.yaml", ModelText: []byte(savedModel), MaxExecutions: 2, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestSaved_ToolsTakeTheirKind(t *testing.T) {
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			session := connect(t, transport(t, server(savedEngine(t), mcp.Config{})))
			for _, c := range []struct{ tool, arguments, rows string }{
				{"run_query", `{"saved": "by_region", "params": {"least": 0}}`, `[{"region":"east","revenue":15},{"region":"west","revenue":2}]`},
				{"run_query", `{"saved": "by_region", "params": {"least": 5}}`, `[{"region":"east","revenue":15}]`},
				{"run_query", `{"saved": "by_region", "params": {"least": 6}, "group_by": null, "order_by": null}`, `[{"revenue":10}]`},
				{"run_query", `{"saved": "by_region", "where_sql": null, "limit": 1}`, `[{"region":"east","revenue":15}]`},
				{"select", `{"saved": "largest"}`, `[{"amount":10}]`},
				{"select", `{"saved": "largest", "limit": 2}`, `[{"amount":10},{"amount":5}]`},
			} {
				text, _, result := callTool(t, session, c.tool, c.arguments)
				var got struct {
					Rows  json.RawMessage `json:"rows"`
					Saved string          `json:"saved"`
				}
				if err := json.Unmarshal([]byte(text), &got); err != nil || result.IsError {
					t.Errorf("%s %s: %v %s", c.tool, c.arguments, err, text)
					continue
				}
				if d := cmp.Diff(c.rows, string(got.Rows)); d != "" {
					t.Errorf("%s %s: %s", c.tool, c.arguments, d)
				}
				if want := `,"saved":"` + got.Saved + `"}`; got.Saved == "" || !strings.HasSuffix(text, want) {
					t.Errorf("%s %s: the last key is not saved: %s", c.tool, c.arguments, text)
				}
			}
			// 7 of the current days against 10 of the first.
			text, _, result := callTool(t, session, "attribute_metric", `{"saved": "january"}`)
			if result.IsError || !strings.Contains(text, `"delta":-3`) || !strings.HasSuffix(text, `,"saved":"january"}`) {
				t.Error(text)
			}
		})
	}
}

func TestSaved_ErrorsHaveRetries(t *testing.T) {
	session := direct(t, savedEngine(t), mcp.Config{})
	for _, c := range []struct{ tool, arguments, code, part string }{
		{"run_query", `{"saved": "by_regoin"}`, "unknown_saved_query", `{\"saved\":\"by_region\"}`},
		{"select", `{"saved": "lragest"}`, "unknown_saved_query", `{\"saved\":\"largest\"}`},
		{"run_query", `{"saved": "largest"}`, "bad_request", "/v1/select/execute"},
		{"attribute_metric", `{"saved": "by_region"}`, "bad_request", "/v1/query/execute"},
		{"run_query", `{"saved": "by_region"}`, "param_out_of_domain", `"suggested_retry"`},
		{"run_query", `{"saved": "by_region", "params": {"least": 101}}`, "param_out_of_domain", `{\"params\":{\"least\":100}}`},
		{"compile_sql", `{"saved": "by_region", "params": {"least": [1]}}`, "param_out_of_domain", "not a list"},
		{"explain_query", `{"saved": "by_region", "params": {"lest": 1}}`, "unknown_metric_param", `"candidates":["least"]`},
	} {
		text, _, result := callTool(t, session, c.tool, c.arguments)
		if !result.IsError || codeOf(t, text) != c.code || !strings.Contains(text, c.part) {
			t.Errorf("%s %s: %s", c.tool, c.arguments, text)
		}
	}
}
