package mcp_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/planner/planerr"
)

// mergeArguments merges a suggested retry into the arguments of a call as a client does.
func mergeArguments(t *testing.T, arguments, retry string) string {
	t.Helper()
	var into, patch map[string]json.RawMessage
	if err := json.Unmarshal([]byte(arguments), &into); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(retry), &patch); err != nil {
		t.Fatalf("%s: %v", retry, err)
	}
	maps.Copy(into, patch)
	maps.DeleteFunc(into, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	out, err := json.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The retry of arguments with one clear meaning corrects them: the merged call works.
func TestArguments_RepairThemselves(t *testing.T) {
	session := direct(t, retail(t), mcp.Config{})
	for _, c := range []struct{ tool, sent, code, retry string }{
		{"compile_sql", `{"metrics":["revenue"],"limit":"10"}`, "bad_request", `{"limit":10}`},
		{"compile_sql", `{"metrics":["revenue"],"order_by":[{"key":"revenue","desc":"true"}]}`, "bad_request", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"compile_sql", `{"metrics":"revenue"}`, "bad_request", `{"metrics":["revenue"]}`},
		{"run_query", `{"metrics":["revenue"],"group_by":["orders.order_date:month","customers.region"]}`, "bad_request",
			`{"group_by":[{"field":"orders.order_date","grain":"month"},{"field":"customers.region"}]}`},
		{"compile_sql", `{"metrics":["revenue"],"group_by":"customers.region"}`, "bad_request", `{"group_by":[{"field":"customers.region"}]}`},
		{"compile_sql", `{"metrics":["revenue"],"order_by":["-revenue"]}`, "bad_request", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"compile_sql", `{"metrics":["revenue"],"order_by":"revenue desc"}`, "bad_request", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"compile_sql", `{"metrics":["revenue"],"order_by":[{"key":"revenue","direction":"desc"}]}`, "unknown_query_key", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"compile_sql", `{"metrics":["revenue"],"order_by":[{"field":"revenue"}]}`, "unknown_query_key", `{"order_by":[{"key":"revenue"}]}`},
		{"compile_sql", `{"metrics":["revenue"],"filter":"customers.region = 'north'"}`, "unknown_query_key", `{"where_sql":"customers.region = 'north'","filter":null}`},
		{"compile_sql", `{"measures":["revenue"],"dimensions":["customers.region"]}`, "unknown_query_key", ``},
		{"compile_sql", `{"metrics":["revenue"],"dateRange":["2024-01-01","2025-01-01"]}`, "unknown_query_key", `{"time_range":{"start":"2024-01-01","end":"2025-01-01"},"dateRange":null}`},
		{"compile_sql", `{"metrics":["revenue"],"time_range":["2024-01-01","2025-01-01"]}`, "bad_request", `{"time_range":{"start":"2024-01-01","end":"2025-01-01"}}`},
		{"compile_sql", `{"metrics":["revenue"],"time_range":{"from":"2024-01-01","to":"2025-01-01"}}`, "unknown_query_key", `{"time_range":{"start":"2024-01-01","end":"2025-01-01"}}`},
		{"compile_sql", `{"metrics":["revenue"],"group_by":[{"field":"order_count"}]}`, "unknown_dimension", `{"group_by":null,"metrics":["revenue","order_count"]}`},
		{"compile_sql", `{"metrics":["revenue"],"group_by":[{"field":"customers.region"},{"field":"order_count"}]}`, "unknown_dimension", ``},
		{"compile_sql", `{"metrics":["revenue","customers.region"]}`, "unknown_metric", `{"group_by":[{"field":"customers.region"}],"metrics":["revenue"]}`},
		{"compile_sql", `{"metrics":["revenue","region"]}`, "unknown_metric", ``},
		{"compile_sql", `{"metrics":["revenue"],"where_sql":"customers.region = \"north\""}`, "unknown_dimension", `{"where_sql":"customers.region = 'north'"}`},
		{"compile_sql", `{"metrics":["revenue"],"where_sql":"region IN (\"north\", \"south\")"}`, "unknown_dimension", ``},
		{"compile_sql", `{"metrics":["revenue"],"group_by":[{"field":"orders.order_date","grain":"Month"}]}`, "bad_request", `{"group_by":[{"field":"orders.order_date","grain":"month"}]}`},
		{"compile_sql", `{"metrics":["revenue"],"limit":"3","group_by":[{"field":"orders.order_date","grain":"Month"}]}`, "bad_request", ``},
		{"compile_select", `{"from":"orders","fields":["orders.order_date:Month"]}`, "bad_request", `{"fields":["orders.order_date:month"]}`},
		{"compile_select", `{"from":"orders","fields":"order_id, customers.region","limit":"5"}`, "bad_request", `{"fields":["order_id","customers.region"],"limit":5}`},
		{"find", `{"q":"revenue","kinds":"metric","limit":"3"}`, "bad_request", `{"kinds":["metric"],"limit":3}`},
		{"find", `{"query":"revenue"}`, "unknown_query_key", `{"q":"revenue","query":null}`},
		{"list_metrics", `{"limit":"3"}`, "bad_request", `{"limit":3}`},
		{"describe_metric", `{"name":"revenue"}`, "unknown_query_key", `{"metric":"revenue","name":null}`},
		{"run_sql", `{"query":"SELECT COUNT(*) AS n FROM orders"}`, "unknown_query_key", `{"sql":"SELECT COUNT(*) AS n FROM orders","query":null}`},
	} {
		text, _, result := callTool(t, session, c.tool, c.sent)
		var e planerr.Error
		if err := json.Unmarshal([]byte(text), &e); err != nil || !result.IsError || e.Code != c.code {
			t.Errorf("%s %s: %s", c.tool, c.sent, text)
			continue
		}
		if c.retry != "" && e.SuggestedRetry != c.retry || !strings.HasPrefix(e.SuggestedRetry, "{") {
			t.Errorf("%s %s: %s, want %s\n%s", c.tool, c.sent, e.SuggestedRetry, c.retry, text)
			continue
		}
		if text, _, result := callTool(t, session, c.tool, mergeArguments(t, c.sent, e.SuggestedRetry)); result.IsError {
			t.Errorf("%s %s and %s: %s", c.tool, c.sent, e.SuggestedRetry, text)
		}
	}
}
