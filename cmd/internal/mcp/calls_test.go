package mcp_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

func asPlan(err error, plan **engine.PlanError) bool { return errors.As(err, plan) }

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
	text, err := engine.MarshalWire(v)
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
	metric := decoded(engine.DecodeMetric([]byte(byRegion)))
	rows := decoded(engine.DecodeDetail([]byte(detail)))
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
	calls := []struct{ tool, arguments, want string }{
		{"list_datasets", `{}`, must(e.Datasets(), nil)},
		{"list_metrics", ``, must(e.Metrics(t.Context()))},
		{"list_metrics", `{"search":"RETURNS PER"}`, must([]engine.MetricInfo{all[11]}, nil)},
		{"list_metrics", `{"offset":12}`, must(all[12:], nil)},
		{"list_metrics", `{"offset":1000}`, `[]`},
		{"list_dimensions", `{}`, must(e.Dimensions(t.Context(), ""))},
		{"list_dimensions", `{"metric":"return_count"}`, must(e.Dimensions(t.Context(), "return_count"))},
		{"describe_metric", `{"metric":"revenue"}`, must(map[string]any{"metric": one, "dimensions": dimensions}, nil)},
		{"get_capabilities", `{}`, must(e.Capabilities(), nil)},
		{"validate_model", `{"model":` + strconv.Quote(broken) + `}`, must(e.Validate(ctx, []byte(broken)))},
		{"compile_sql", byRegion, must(e.CompileMetrics(ctx, metric))},
		{"explain_query", byRegion, must(e.ExplainMetrics(ctx, metric))},
		{"run_query", byRegion, must(e.ExecuteMetrics(ctx, metric))},
		{"compile_select", detail, must(e.CompileSelect(ctx, rows))},
		{"select", detail, must(e.ExecuteSelect(ctx, rows))},
		{"attribute_metric", change, must(e.Attribute(ctx, decoded(engine.DecodeAttribute([]byte(change)))))},
	}
	tried := map[string]bool{}
	for name, transport := range transports {
		session := connect(t, transport(t, server(e, mcp.Config{})))
		for _, c := range calls {
			tried[c.tool] = true
			got, notes, result := callKey(t, session, c.tool, c.arguments)
			if c.tool == "describe_metric" { // the order of its two keys is the tool's own
				got, c.want = sorted(t, got), sorted(t, c.want)
			}
			if got != c.want || result.IsError || len(notes) > 0 {
				t.Errorf("%s: %s %s: %s", name, c.tool, c.arguments, cmp.Diff(c.want, got))
			}
			structured := result.StructuredContent
			if object := strings.HasPrefix(got, "{"); object != (structured != nil) {
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
	_, unknown := e.CompileMetrics(t.Context(), decoded(engine.DecodeMetric([]byte(`{"metrics":["revenu"]}`))))
	var plan *engine.PlanError
	if !asPlan(unknown, &plan) {
		t.Fatal(unknown)
	}
	for name, transport := range transports {
		session := connect(t, transport(t, server(e, mcp.Config{})))
		for _, c := range []struct{ tool, arguments, code string }{
			{"list_dimensions", `{"metric":"revenu"}`, "unknown_metric"},
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
			got, _, result := callKey(t, session, c.tool, c.arguments)
			if code := codeOf(t, got); !result.IsError || c.code != "" && code != c.code {
				t.Errorf("%s: %s %s: %s", name, c.tool, c.arguments, got)
			}
		}
		if got, _, _ := callKey(t, session, "compile_sql", `{"metrics":["revenu"]}`); got != must(plan, nil) {
			t.Error(cmp.Diff(must(plan, nil), got))
		}
		// An invalid model is a result, not an error, as on every interface.
		if got, _, result := callKey(t, session, "validate_model", `{"model":": no model"}`); result.IsError || !strings.Contains(got, `"valid":false`) {
			t.Error(got)
		}
	}
}

func TestTools_ExplainInvalidArguments(t *testing.T) {
	t.Run("arguments that do not fit the schema give an error in one sentence", func(t *testing.T) {
		session := direct(t, retail(t), mcp.Config{})
		cases := []struct{ tool, arguments, part string }{
			{"run_query", `{}`, `"metrics"`},
			{"run_query", `{"metrics":"revenue"}`, "/properties/metrics"},
			{"run_query", `{"metrics":["revenue"],"group_by":[{"grain":"month"}]}`, `"field"`},
			{"run_query", `{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"months"}]}`, "grain"},
			{"run_query", `{"metrics":["revenue"],"limit":-1}`, "limit"},
			{"run_query", `{"metrics":["revenue"],"params":{"t":{"a":1}}}`, "params"},
			{"run_query", `{"metrics":["revenue"],"time_ranges":{"a":{"begin":"2024-01-01"}}}`, `"begin"`},
			{"attribute_metric", `{"metric":"revenue","baseline":{"start":"2024-01-01"},"current":{"start":"2024-01-01","end":"2024-02-01"}}`, "baseline"},
			{"describe_metric", `{"metric":7}`, "metric"},
			{"list_metrics", `{"offset":"many"}`, "offset"},
			{"validate_model", `{}`, `"model"`},
		}
		for _, tool := range toolNames {
			cases = append(cases, struct{ tool, arguments, part string }{tool, `{"metrics":["revenue"],"metric":"revenue","nonsense":1}`, "nonsense"})
		}
		for _, c := range cases {
			got, _, result := callKey(t, session, c.tool, c.arguments)
			if !result.IsError || json.Valid([]byte(got)) || !strings.Contains(got, c.tool) || !strings.Contains(got, c.part) {
				t.Errorf("%s %s: %s", c.tool, c.arguments, got)
			}
		}
		// What is null counts as absent, as for the decoders.
		if got, _, result := callKey(t, session, "run_query", `{"metrics":["order_count"],"limit":null,"group_by":null,"time_range":{"start":"2024-01-01","end":null}}`); result.IsError {
			t.Error(got)
		}
	})
}

func TestTools_CompileOnlyRejectsExecution(t *testing.T) {
	session := direct(t, retail(t), mcp.Config{DisableExecute: true})
	for tool, arguments := range map[string]string{"run_query": byRegion, "select": detail, "attribute_metric": change} {
		if got, _, result := callKey(t, session, tool, arguments); !result.IsError || codeOf(t, got) != "forbidden" {
			t.Errorf("%s: %s", tool, got)
		}
	}
	for tool, arguments := range map[string]string{"compile_sql": byRegion, "explain_query": byRegion, "compile_select": detail} {
		if got, _, result := callKey(t, session, tool, arguments); result.IsError {
			t.Errorf("%s: %s", tool, got)
		}
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
	got, _, _ := callKey(t, direct(t, e, mcp.Config{}), "compile_sql", `{"metrics":["above"],"params":{"t":[9007199254740995,9007199254740994]}}`)
	first, second := strings.Index(got, "9007199254740995"), strings.Index(got, "9007199254740994")
	if first < 0 || second < first {
		t.Error(got)
	}
}
