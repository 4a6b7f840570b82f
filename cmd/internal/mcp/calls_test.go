package mcp_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

func asPlan(err error, plan **planerr.Error) bool { return errors.As(err, plan) }

const (
	byRegion = `{"metrics":["revenue","order_count"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"revenue","desc":true}],"limit":2}`
	detail   = `{"from":"orders","fields":["order_id","customers.region"],"order_by":[{"key":"order_id"}],"limit":3}`
	change   = `{"metric":"revenue","dimensions":["customers.region"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`
)

// must marshals what a verb of the engine returns as the HTTP interface does.
func must[T any](v T, err error) string {
	if err != nil {
		panic(err)
	}
	text, err := engine.MarshalWireJSON(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func decoded[Q any](q *Q, err error) *Q {
	if err != nil {
		panic(err)
	}
	return q
}

func TestTools_AnswerLikeEngine(t *testing.T) {
	e := retail(t)
	ctx := t.Context()
	broken := `{"version":"0.2.0.dev0","semantic_model":[{"name":"m","datasets":[]}]}`
	metric := decoded(query.DecodeMetric([]byte(byRegion)))
	rows := decoded(query.DecodeDetail([]byte(detail)))
	one, err := e.Metric(t.Context(), "revenue")
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dimensions, err := e.Dimensions(t.Context(), "revenue")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := direct(t, e, mcp.Config{}).ReadResource(ctx, &sdk.ReadResourceParams{URI: "semlayer://keys"})
	if err != nil {
		t.Fatal(err)
	}
	statement := &query.SQLStatement{SQL: "SELECT region, MEASURE(revenue) FROM retail GROUP BY region ORDER BY 2 DESC", MaxRows: new(int64(2))}
	calls := []struct{ tool, arguments, want string }{
		{"run_sql", `{"sql":"` + statement.SQL + `","limit":2}`, must(askRows(ctx, e, statement))},
		{"explain_sql", `{"sql":"` + statement.SQL + `"}`, must(askPlan(ctx, e, &query.SQLStatement{SQL: statement.SQL}))},
		{"find", `{"q":"revenues by region"}`, must(e.Find(ctx, decoded(query.DecodeFind([]byte(`{"q":"revenues by region"}`)))))},
		{"values", `{"field":"orders.status","like":"comp","fresh":true}`, must(e.FieldValues(ctx, decoded(query.DecodeValues([]byte(`{"field":"orders.status","like":"comp","fresh":true}`)))))},
		{"compatible", byRegion, must(e.CompatibleItems(ctx, decoded(query.DecodeCompatible([]byte(byRegion)))))},
		{"list_keys", `{}`, keys.Contents[0].Text},
		{"list_datasets", `{}`, must(e.Datasets(), nil)},
		{"list_metrics", ``, must(e.Metrics(t.Context()))},
		{"list_metrics", `{"offset":12}`, must(all[12:], nil)},
		{"list_metrics", `{"offset":1000}`, `[]`},
		{"list_dimensions", `{}`, must(e.Dimensions(t.Context(), ""))},
		{"list_dimensions", `{"metric":"return_count"}`, must(e.Dimensions(t.Context(), "return_count"))},
		{"describe_metric", `{"metric":"revenue"}`, must(map[string]any{
			"metric": one, "dimensions": dimensions, "dimension_count": len(dimensions), "expression": "SUM(orders.amount)", "definition": "SUM(orders.amount)",
			"example": map[string]any{"metrics": []string{"revenue"}}, "saved": []string{"revenue_by_category", "revenue_by_region", "top_products"},
		}, nil)},
		{"get_capabilities", `{}`, must(e.Capabilities(), nil)},
		{"validate_model", `{"model":` + strconv.Quote(broken) + `}`, must(e.Validate(ctx, []byte(broken)))},
		{"compile_sql", byRegion, must(askSQL(ctx, e, metric))},
		{"explain_query", byRegion, must(askPlan(ctx, e, metric))},
		{"run_query", byRegion, must(askRows(ctx, e, metric))},
		{"compile_select", detail, must(askSQL(ctx, e, rows))},
		{"select", detail, must(askRows(ctx, e, rows))},
		{"attribute_metric", change, must(e.Attribute(ctx, decoded(query.DecodeAttribute([]byte(change)))))},
	}
	tried := map[string]bool{}
	for name, transport := range transports {
		session := connect(t, transport(t, server(e, mcp.Config{})))
		for _, c := range calls {
			tried[c.tool] = true
			got, notes, result := callTool(t, session, c.tool, c.arguments)
			if c.tool == "describe_metric" { // the order of its two keys is the tool's own
				got, c.want = sorted(t, got), sorted(t, c.want)
			}
			if got != c.want || result.IsError || len(notes) > 0 {
				t.Errorf("%s: %s %s: %s", name, c.tool, c.arguments, cmp.Diff(c.want, got))
			}
			structured := result.StructuredContent
			if object := strings.HasPrefix(got, "{") && len(got) <= 4000; object != (structured != nil) {
				t.Errorf("%s: %s: structured content: %v", name, c.tool, structured)
			} else if object {
				if d := cmp.Diff(sorted(t, got), must(structured, nil)); d != "" {
					t.Errorf("%s: %s: the structured content is another: %s", name, c.tool, d)
				}
			}
		}
	}
	if len(tried) != len(toolNames) {
		t.Errorf("%d tools of %d", len(tried), len(toolNames))
	}
}

// sorted writes an object with its keys in order and its numbers as the SDK's
// client reads them.
func sorted(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return must(v, nil)
}

func TestTools_FailWithEngineError(t *testing.T) {
	e := retail(t)
	_, unknown := askSQL(t.Context(), e, decoded(query.DecodeMetric([]byte(`{"metrics":["revenu"]}`))))
	var plan *planerr.Error
	if !asPlan(unknown, &plan) || len(plan.Candidates) <= 8 {
		t.Fatal(unknown)
	}
	plan.Candidates = plan.Candidates[:8] // a language model reads all of them
	for name, transport := range transports {
		session := connect(t, transport(t, server(e, mcp.Config{})))
		for _, c := range []struct{ tool, arguments, code string }{
			{"list_dimensions", `{"metric":"revenu"}`, "unknown_metric"},
			{"run_sql", `{"sql":"SELECT region, MEASURE(revenue) FROM retail"}`, "sql_group_by_required"},
			{"run_sql", `{"sql":"DROP TABLE orders"}`, "sql_read_only"},
			{"explain_sql", `{"sql":"SELECT nothing FROM orders"}`, "unknown_column"},
			{"describe_metric", `{"metric":"revenu"}`, "unknown_metric"},
			{"compile_sql", `{"metrics":["revenu"]}`, "unknown_metric"},
			{"compile_sql", `{"metrics":[]}`, "empty_query"},
			{"compile_sql", `{"metrics":["revenue"],"dialect":"cobol"}`, "bad_request"},
			{"compile_sql", `{"metrics":["revenue"],"metrics":["revenue"]}`, "bad_request"},
			{"explain_query", `{"metrics":["revenue"],"group_by":[{"field":"region_of"}]}`, "unknown_dimension"},
			{"run_query", `{"metrics":["revenue"],"connection":"nowhere"}`, "config"},
			{"run_query", `{"metrics":["revenue"],"where_sql":"customers.region = 1 / 'a'"}`, ""},
			{"compile_select", `{"from":"order","fields":["order_id"]}`, "unknown_dataset"},
			{"select", `{"from":"customers","fields":["customer_id","orders.amount"]}`, "detail_fanout"},
			{"attribute_metric", `{"metric":"revenue","baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`, "dimensions_required"},
		} {
			got, _, result := callTool(t, session, c.tool, c.arguments)
			if code := codeOf(t, got); !result.IsError || c.code != "" && code != c.code {
				t.Errorf("%s: %s %s: %s", name, c.tool, c.arguments, got)
			}
		}
		if got, _, _ := callTool(t, session, "compile_sql", `{"metrics":["revenu"]}`); got != must(plan, nil) {
			t.Error(cmp.Diff(must(plan, nil), got))
		}
		// An invalid model is a result, not an error, as on every interface.
		if got, _, result := callTool(t, session, "validate_model", `{"model":": no model"}`); result.IsError || !strings.Contains(got, `"valid":false`) {
			t.Error(got)
		}
	}
}

// Arguments that do not fit are answered as every other failure is: by the decoders of the HTTP interface.
func TestTools_ExplainInvalidArguments(t *testing.T) {
	session := direct(t, retail(t), mcp.Config{})
	cases := []struct{ tool, arguments, code, part string }{
		{"run_query", `{}`, "empty_query", "metric"},
		{"run_query", `{"metrics":{"a":1}}`, "bad_request", "metrics must be an array"},
		{"run_query", `{"metrics":["revenue"],"order_by":[{"desc":true}]}`, "bad_request", "order_by[0] needs a key"},
		{"run_query", `{"metrics":["revenue"],"limit":-1}`, "bad_request", "limit must be"},
		{"run_query", `{"metrics":["revenue"],"params":{"t":{"a":1}}}`, "bad_request", "params.t"},
		{"run_query", `{"metrics":["revenue"],"time_ranges":{"a":{"begin":"2024-01-01"}}}`, "unknown_query_key", "begin"},
		{"run_query", `[1]`, "bad_request", "the body must be an object"},
		{"run_query", `"revenue"`, "bad_request", "the body must be an object"},
		{"attribute_metric", `{"metric":"revenue","baseline":{"start":"2024-01-01","last":1}}`, "unknown_query_key", "baseline"},
		{"describe_metric", `{}`, "bad_request", "metric"},
		{"describe_metric", `{"metric":{}}`, "bad_request", "metric must be a string"},
		{"list_metrics", `{"offset":"many"}`, "bad_request", "offset must be"},
		{"list_datasets", `{"limit":0}`, "bad_request", "limit must be"},
		{"list_dimensions", `{"search":""}`, "bad_request", "search must not be empty"},
		{"list_metrics", `{"search":"` + strings.Repeat("é", 501) + `"}`, "bad_request", "500"},
		{"validate_model", `{}`, "bad_request", "model"},
		{"run_sql", `{"limit":1}`, "bad_request", "sql"},
		{"run_sql", `{"sql":"SELECT 1","limit":1.5}`, "bad_request", "limit must be"},
		{"get_capabilities", `{"all":true}`, "unknown_query_key", "all"},
	}
	for _, tool := range toolNames {
		code := "unknown_query_key"
		if tool == "validate_model" {
			code = "bad_request"
		}
		cases = append(cases, struct{ tool, arguments, code, part string }{tool, `{"nonsense":1}`, code, "nonsense"})
	}
	for _, c := range cases {
		got, _, result := callTool(t, session, c.tool, c.arguments)
		if !result.IsError || codeOf(t, got) != c.code || !strings.Contains(got, c.part) && c.tool != "validate_model" {
			t.Errorf("%s %s: %s", c.tool, c.arguments, got)
		}
	}
	// What is null counts as absent, as for the decoders.
	if got, _, result := callTool(t, session, "run_query", `{"metrics":["order_count"],"limit":null,"group_by":null,"time_range":{"start":"2024-01-01","end":null}}`); result.IsError {
		t.Error(got)
	}
}

func TestTools_CompileOnlyRejectsExecution(t *testing.T) {
	session := direct(t, retail(t), mcp.Config{DisableExecute: true})
	for tool, arguments := range map[string]string{"run_query": byRegion, "select": detail, "attribute_metric": change, "run_sql": `{"sql":"SELECT region FROM customers"}`} {
		if got, _, result := callTool(t, session, tool, arguments); !result.IsError || codeOf(t, got) != "forbidden" {
			t.Errorf("%s: %s", tool, got)
		}
	}
	for tool, arguments := range map[string]string{"compile_sql": byRegion, "explain_query": byRegion, "compile_select": detail, "explain_sql": `{"sql":"SELECT region FROM customers"}`} {
		if got, _, result := callTool(t, session, tool, arguments); result.IsError {
			t.Errorf("%s: %s", tool, got)
		}
	}
	if got, _, _ := callTool(t, session, "get_capabilities", `{}`); !strings.Contains(got, `"compile_only"`) {
		t.Error(got)
	}
}

// run_sql returns at most as many rows as its limit and the LIMIT of the statement allow, and shows those that fit.
func TestRunSQL_LimitsRows(t *testing.T) {
	e := retail(t)
	session, small := direct(t, e, mcp.Config{}), direct(t, e, mcp.Config{MaxBytes: 100})
	for _, c := range []struct {
		arguments        string
		rows, limit      int
		limited, isError bool
	}{
		{`{"sql":"SELECT order_id FROM orders"}`, 100, 100, true, false},
		{`{"sql":"SELECT order_id FROM orders","limit":3}`, 3, 3, true, false},
		{`{"sql":"SELECT order_id FROM orders LIMIT 2","limit":3}`, 2, 2, true, false},
		{`{"sql":"SELECT order_id FROM orders LIMIT 200"}`, 100, 100, true, false},
		{`{"sql":"SELECT COUNT(*) AS n FROM orders","limit":null}`, 1, 100, false, false},
		{`{"sql":"SELECT order_id FROM orders LIMIT 150","limit":1000000}`, 150, 150, true, false},
		{`{"sql":"SELECT order_id FROM orders","limit":0}`, 0, 0, true, false},
		{`{"sql":"SELECT order_id FROM orders","limit":-1}`, 0, 0, false, true},
		{`{"sql":"SELECT order_id FROM orders","limit":1.5}`, 0, 0, false, true},
	} {
		text, _, result := callTool(t, session, "run_sql", c.arguments)
		if result.IsError != c.isError {
			t.Errorf("%s: %.300s", c.arguments, text)
		}
		if c.isError {
			continue
		}
		var got struct {
			RowCount int `json:"row_count"`
			Limit    *int
			Limited  bool
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.RowCount != c.rows || got.Limit == nil || *got.Limit != c.limit || got.Limited != c.limited {
			t.Errorf("%s: %.300s", c.arguments, text)
		}
	}
	text, _, _ := callTool(t, small, "run_sql", `{"sql":"SELECT order_id FROM orders"}`)
	var cut cutResult
	if err := json.Unmarshal([]byte(text), &cut); err != nil || cut.RowCount != 100 || len(cut.Rows) >= 10 || cut.Shown == nil || !strings.Contains(cut.Note, "/v1/sql/execute") {
		t.Errorf("%.500s", text)
	}
}

func TestTools_BoundNumbersKeepDigitsAndOrder(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{Drivers: warehouses.Drivers(), ModelText: []byte(`{version: 0.2.0.dev0, semantic_model: [{name: m,
  datasets: [{name: d, source: d, fields: [{name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}],
  metrics: [{name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]}},
    {name: above, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM(CASE WHEN d.x > 9007199254740993 THEN d.x END)"}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "n", "where": "x > :t"}, "params": [{"name": "t", "type": "int", "default": 9007199254740993, "min": 0}]}'}]}]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	got, _, _ := callTool(t, direct(t, e, mcp.Config{}), "compile_sql", `{"metrics":["above"],"params":{"t":[9007199254740995,9007199254740994]}}`)
	first, second := strings.Index(got, "9007199254740995"), strings.Index(got, "9007199254740994")
	if first < 0 || second < first {
		t.Error(got)
	}
}
