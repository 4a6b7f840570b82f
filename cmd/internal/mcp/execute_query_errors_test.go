package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
)

// refusedQueries are queries of the retail model with the codes that they get: of the profile and of the engine.
var refusedQueries = []struct{ query, code, own, capability string }{
	{`{"measures": ["revenu"]}`, "E_NAME_NOT_FOUND", "unknown_metric", ""},
	{`{"dimensions": ["customers.regoin"], "measures": ["revenue"]}`, "E_NAME_NOT_FOUND", "unknown_dimension", ""},
	{`{"fields": ["nothing"]}`, "E_NAME_NOT_FOUND", "unknown_dimension", ""},
	{`{"fields": ["orders.order_idd"]}`, "E_NAME_NOT_FOUND", "unknown_dimension", ""},
	{`{"measures": ["revenue"], "order_by": [{"field": "nothing"}]}`, "E_NAME_NOT_FOUND", "unknown_order_key", ""},
	{`{"dimensions": ["returns.reason"], "measures": ["revenue"]}`, "BACKEND_ERROR", "fan_out_risk", ""},
	{`{"fields": ["orders.amount", "calendar.weekday"]}`, "E_AMBIGUOUS_PATH", "ambiguous_join_path", ""},
	{`{"fields": ["customers.region", "products.category"]}`, "UNSUPPORTED_QUERY", "not_implemented", "scalar_root"}, // of orders or of returns
	{`{"dimensions": ["calendar.weekday"], "measures": ["revenue"]}`, "E_AMBIGUOUS_PATH", "ambiguous_join_path", ""},
	{`{"measures": ["revenue"], "where": "orders.amount > (SELECT 1)"}`, "UNSUPPORTED_QUERY", "unsupported_filter", ""},
	{`{"dimensions": ["SUM(orders.amount) AS s"], "measures": ["revenue"]}`, "UNSUPPORTED_QUERY", "unsupported_expression", ""},
	{`{"measures": ["revenue"], "dimensions": ["no_such_function(orders.amount) AS x"]}`, "UNSUPPORTED_QUERY", "unsupported_expression", ""},
	{`{"measures": ["revenue"], "fields": ["orders.amount"]}`, "E_MIXED_QUERY_SHAPE", "", ""},
	{`{"dimensions": [], "fields": ["orders.amount"]}`, "E_MIXED_QUERY_SHAPE", "", ""},
	{`{"fields": []}`, "E_EMPTY_SCALAR_QUERY", "", ""},
	{`{}`, "E_EMPTY_AGGREGATION_QUERY", "", ""},
	{`{"dimensions": [], "measures": [], "limit": 3}`, "E_EMPTY_AGGREGATION_QUERY", "", ""},
	{`{"fields": ["revenue"]}`, "E_AGGREGATE_IN_SCALAR_QUERY", "metric_in_detail_query", ""},
	{`{"fields": ["SUM(orders.amount) AS s"]}`, "E_AGGREGATE_IN_SCALAR_QUERY", "metric_in_detail_query", ""},
	{`{"measures": ["revenue"], "where": "revenue > 3"}`, "INVALID_ARGUMENT", "aggregate_in_where", ""},
	{`{"measures": ["revenue"], "where": ["orders.amount > 1", "SUM(orders.amount) > 3"]}`, "INVALID_ARGUMENT", "aggregate_in_where", ""},
	{`{"dimensions": ["orders.amount + 1 AS more"], "measures": ["revenue"], "where": "more > 3"}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "having": "orders.amount > 3"}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"fields": ["orders.amount"], "having": "orders.amount > 3"}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue AS 1st"]}`, "QUERY_INVALID", "bad_request", ""},
	{`{"measures": ["revenue AS \"a b\""]}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "where": "orders.amount >"}`, "QUERY_INVALID", "bad_request", ""},
	{`{"measures": ["revenue"], "having": "buyers > 3"}`, "UNSUPPORTED_QUERY", "result_filter_metric_not_selected", "having_unselected"},
	{`{"measures": ["revenue"], "having": "SUM(orders.quantity) > 3"}`, "UNSUPPORTED_QUERY", "result_filter_metric_not_selected", "having_unselected"},
	{`{"dimensions": ["customers.region"], "measures": ["revenue"], "order_by": [{"field": "buyers"}]}`, "UNSUPPORTED_QUERY", "unknown_order_key", "order_by_unselected"},
	{`{"dimensions": ["customers.region"], "measures": ["revenue"], "order_by": [{"field": "revenue", "nulls": "FIRST"}]}`, "UNSUPPORTED_QUERY", "not_implemented", "nulls_first"},
	{`{"dimensions": ["customers.region"], "measures": ["revenue"], "order_by": [{"field": "revenue", "direction": "DESC"}]}`, "UNSUPPORTED_QUERY", "not_implemented", "nulls_first"},
	{`{"fields": ["orders.order_id", "customers.customer_id"], "order_by": [{"field": "customers.customer_id", "direction": "DESC"}]}`, "UNSUPPORTED_QUERY", "not_implemented", "nulls_first"},
	{`{"measures": ["COUNT(*) AS n"]}`, "BACKEND_ERROR", "count_star_needs_dataset", ""},
	{`{"measures": ["revenue", "revenue"]}`, "BACKEND_ERROR", "duplicate_output_name", ""},
	{`{"measures": "revenue"}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": [1]}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": [" "]}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"metrics": ["revenue"]}`, "INVALID_ARGUMENT", "unknown_query_key", ""},
	{`{"measures": ["revenue"], "measures": ["buyers"]}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "where": []}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "where": null}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "order_by": ["revenue"]}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "order_by": [{"field": "revenue", "direction": "desc"}]}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "limit": -1}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "limit": "3"}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`{"measures": ["revenue"], "limit": 1.5}`, "INVALID_ARGUMENT", "bad_request", ""},
	{`[]`, "INVALID_ARGUMENT", "bad_request", ""},
}

func TestExecuteQuery_Codes(t *testing.T) {
	p := newProfile(t, retail(t), mcp.Config{})
	for _, c := range refusedQueries {
		got := p.ask(t, c.query)
		e := got.Error
		if d := cmp.Diff([]string{c.code, c.own, c.capability}, []string{e.Code, e.Extensions.Semlayer.Code, e.Extensions.Semlayer.Capability}); d != "" || e.Retryable {
			t.Errorf("%s: %s %s", c.query, d, e.Message)
		}
		if !strings.Contains(got.text, c.code) {
			t.Errorf("%s: the text lacks the code: %s", c.query, got.text)
		}
	}
}

// A replacement is a whole query: it is answered, or rejected with another code.
func TestExecuteQuery_ReplacementsCanBeSent(t *testing.T) {
	p := newProfile(t, retail(t), mcp.Config{})
	want := map[string]bool{} // queries that must have one
	for _, q := range []string{
		`{"dimensions": ["order_count"], "measures": ["revenue"]}`,
		`{"measures": ["revenue", "customers.region"]}`,
		`{"dimensions": ["calendar.weekday AS day", "DATE_TRUNC('month', orders.order_date) AS month", "orders.amount > 3 AS large"], "measures": ["revenue AS r"], "having": "r > 3", "where": "orders.status = 'open'", "limit": 2}`,
	} {
		want[q] = true
	}
	queries := []string{}
	for q := range want {
		queries = append(queries, q)
	}
	for _, c := range refusedQueries {
		queries = append(queries, c.query)
		if c.capability == "nulls_first" || c.capability == "having_unselected" || c.own == "aggregate_in_where" {
			want[c.query] = true
		}
	}
	for _, query := range queries {
		refused := p.ask(t, query)
		replacement := refused.replacement()
		if replacement == "" {
			if want[query] {
				t.Errorf("%s has no replacement: %+v", query, refused.Error)
			}
			continue
		}
		if next := p.ask(t, replacement); next.Error.Code == refused.Error.Code {
			t.Errorf("%s: the replacement %s: %+v", query, replacement, next.Error)
		}
	}
}

func TestExecuteQuery_OffersValues(t *testing.T) {
	got := newProfile(t, retail(t), mcp.Config{}).ask(t, `{"dimensions": ["customers.region"], "measures": ["revenue"], "where": "customers.region = 'North'"}`)
	if len(got.Alternatives) != 1 || len(got.rows) != 0 || got.Result.Completeness != "complete" {
		t.Fatalf("%+v", got)
	}
	if a := got.Alternatives[0]; a.Field != "customers.region" || a.Requested != "North" || cmp.Diff([]string{"north"}, a.Values) != "" {
		t.Errorf("%+v", a)
	}
}

func TestExecuteQuery_SourceAndLimits(t *testing.T) {
	e := retail(t)
	p := newProfile(t, e, mcp.Config{MaxBytes: 60})
	for _, source := range []string{"", "retail", "retail@000000000000", "other@" + e.Revision(), e.DataSourceID() + " ", strings.Repeat("x", 100_000)} {
		got := p.call(t, `{"data_source_id": `+quoted(source)+`, "query": {"measures": ["revenue"]}}`)
		if got.Error.Code != "SOURCE_UNAVAILABLE" || got.Model.ID != "" || cmp.Diff([]string{e.DataSourceID()}, got.Error.Extensions.Semlayer.Candidates) != "" {
			t.Errorf("%.40q: %+v", source, got)
		}
	}
	for _, arguments := range []string{`{}`, `{"query": {"measures": ["revenue"]}}`, `{"data_source_id": "x"}`, `{"data_source_id": 1, "query": {}}`, `{"data_source_id": "x", "query": {}, "connection": "y"}`} {
		if got := p.call(t, arguments); got.Error.Code != "INVALID_ARGUMENT" {
			t.Errorf("%s: %+v", arguments, got.Error)
		}
	}
	// header "order_id" and five rows of one digit: 10 + 5 * 3 = 25 bytes
	if got := newProfile(t, e, mcp.Config{MaxBytes: 25}).ask(t, `{"fields": ["orders.order_id"], "limit": 5}`); len(got.rows) != 5 {
		t.Errorf("%+v", got.Error)
	}
	if got := newProfile(t, e, mcp.Config{MaxBytes: 24}).ask(t, `{"fields": ["orders.order_id"], "limit": 5}`); got.Error.Code != "RESOURCE_LIMIT" || got.Error.Retryable {
		t.Errorf("%+v", got.Error)
	}
}

func TestExecuteQuery_SaysWhenRowsAreLeftOut(t *testing.T) {
	e := openModel(t, longTextModel, `CREATE TABLE t AS SELECT i AS id, 'x' AS v FROM range(10001) r(i)`)
	p := newProfile(t, e, mcp.Config{MaxBytes: 1 << 20})
	for _, c := range []struct {
		query        string
		rows         int
		completeness string
	}{
		{`{"fields": ["t.id"]}`, 10000, "truncated"},
		{`{"fields": ["t.id"], "limit": 10001}`, 10000, "truncated"},
		{`{"fields": ["t.id"], "limit": 10000}`, 10000, "complete"},
		{`{"fields": ["t.id"], "where": "id < 9999"}`, 9999, "complete"},
		{`{"dimensions": ["t.id"], "measures": ["n"]}`, 10001, "complete"},
	} {
		if got := p.ask(t, c.query); len(got.rows) != c.rows || got.Result.Completeness != c.completeness {
			t.Errorf("%s: %d rows, %s %+v", c.query, len(got.rows), got.Result.Completeness, got.Error)
		}
	}
}

// failing is a service that does not answer queries of the profile.
type failing struct {
	*engine.Engine
	err  error
	wait bool
}

func (f failing) ExecuteOssieQuery(ctx context.Context, _ *engine.OssieQuery, _ string) (*engine.OssieResult, error) {
	if f.wait {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return nil, f.err
}

func TestExecuteQuery_FailuresOfTheServer(t *testing.T) {
	e := retail(t)
	const query = `{"measures": ["revenue"]}`
	for _, c := range []struct {
		what      string
		service   mcp.Service
		config    mcp.Config
		code, own string
		retryable bool
	}{
		{"compile only", e, mcp.Config{DisableExecute: true}, "PERMISSION_DENIED", "forbidden", false},
		{"late", failing{e, nil, true}, mcp.Config{ExecuteTimeout: time.Millisecond}, "TIMEOUT", "timeout", true},
		{"busy", failing{e, engine.OssieErrorOf(&engine.BusyError{Code: "busy", Message: "all slots are taken"}), false}, mcp.Config{}, "RESOURCE_LIMIT", "busy", true},
		{"rejected", failing{e, &engine.ExecuteError{Code: "sql_rejected", Message: "no such table"}, false}, mcp.Config{}, "BACKEND_ERROR", "sql_rejected", false},
		{"without a code", failing{e, fmt.Errorf("secret"), false}, mcp.Config{}, "BACKEND_ERROR", "internal", false},
	} {
		got := newProfile(t, c.service, c.config).ask(t, query)
		if got.Error.Code != c.code || got.Error.Extensions.Semlayer.Code != c.own || got.Error.Retryable != c.retryable || strings.Contains(got.text, "secret") {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}

// Texts from outside are expressions or errors: nothing of them reaches the warehouse unparsed.
func TestExecuteQuery_HostileTexts(t *testing.T) {
	e := retail(t)
	p := newProfile(t, e, mcp.Config{})
	deep := strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000)
	texts := []string{
		"1; DROP TABLE orders", "revenue; SELECT 1", "1) OR (1=1", "1 -- x", "1 /* x */ FROM orders", "'", "\"", "`x`", "$$x$$", "E'\\''", "x'00'", "\u0000", "a\u0000b", "\u202e", "\u0001",
		"(SELECT name FROM customers)", "read_csv('/etc/passwd')", "revenue UNION SELECT 1", "1 = 1 AS", "AS x", "x AS AS", "orders.amount AS amount AS b", ":p", "?", "$1", "@@version", "..", "a.b.c.d.e",
		deep, strings.Repeat("x", 100_000), "orders.amount IN (" + strings.Repeat("1,", 2000) + "1)", strings.Repeat("1+", 50_000) + "1", "'" + strings.Repeat("x", 70_000) + "'",
	}
	for _, text := range texts {
		for _, query := range []string{
			`{"measures": [%s]}`, `{"measures": ["revenue"], "dimensions": [%s]}`, `{"fields": [%s], "limit": 1}`, `{"measures": ["revenue"], "where": %s}`,
			`{"measures": ["revenue"], "having": [%s]}`, `{"measures": ["revenue"], "order_by": [{"field": %s}]}`,
		} {
			query = fmt.Sprintf(query, quoted(text))
			if got := p.ask(t, query); got.Error.Code == "" && text != "1 -- x" || got.Error.Extensions.Semlayer.Code == "internal" || got.Error.Extensions.Semlayer.Code == "sql_rejected" {
				t.Errorf("%.100s: %+v", query, got.Error)
			}
		}
	}
	many := strings.Repeat(`"orders.amount + 1", `, 5000) + `"1"`
	for _, query := range []string{`{"dimensions": [` + many + `]}`, `{"fields": [` + many + `]}`, `{"measures": ["revenue"], "where": [` + many + `]}`, `{"measures": [` + strings.Repeat(`"SUM(orders.amount)", `, 100) + `"revenue"]}`} {
		if got := p.ask(t, query); got.Error.Code != "INVALID_ARGUMENT" {
			t.Errorf("%.60s: %+v", query, got.Error)
		}
	}
	if got := p.ask(t, `{"measures": ["order_count"]}`); len(got.rows) != 1 || got.rows[0][0] != "5000" {
		t.Errorf("the data changed: %v", got.rows)
	}
}
