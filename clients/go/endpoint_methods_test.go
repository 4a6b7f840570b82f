package client_test

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
)

func detail() client.DetailQuery {
	return client.DetailQuery{From: "orders", Fields: []string{"status", "customers.region"}}
}

const detailBody = `{"from":"orders","fields":["status","customers.region"]}`

func statement() client.SQLStatement {
	return client.SQLStatement{SQL: "SELECT MEASURE(revenue) FROM orders WHERE status = $1 AND amount > $2", Params: []any{"a", 2, nil}}
}

const statementBody = `{"sql":"SELECT MEASURE(revenue) FROM orders WHERE status = $1 AND amount \u003e $2","params":["a",2,null]}`

// Each response has an unknown key: a newer server may add keys.
func TestCalls_EachMethodHitsItsEndpoint(t *testing.T) {
	half := 0.5
	for _, c := range []struct {
		name   string
		call   func(*client.Client) (any, error)
		asks   string // method, URI and body
		answer string
		want   any
	}{
		{"Health", func(c *client.Client) (any, error) { return nil, c.Health(ctx) }, "GET /health ", `{"status":"ok","new":1}`, nil},
		{"Ready", func(c *client.Client) (any, error) { return c.Ready(ctx) }, "GET /ready ", `{"status":"ready","new":1}`, true},
		{"Model", func(c *client.Client) (any, error) { return c.Model(ctx) }, "GET /v1/model ",
			`{"name":"orders","path":"m.yaml","mode":"vendor","spec_version":"0.2.0.dev0","extension_version":"1.9","datasets":3,"fields":12,"metrics":4,"relationships":2,"warnings":1,"new":1}`,
			&client.Model{Name: "orders", Path: "m.yaml", Mode: "vendor", SpecVersion: "0.2.0.dev0", ExtensionVersion: "1.9", Datasets: 3, Fields: 12, Metrics: 4, Relationships: 2, Warnings: 1}},
		{"Models", func(c *client.Client) (any, error) { return c.Models(ctx) }, "GET /v1/models ",
			`[{"name":"a","path":"/m/a","revision":"r","datasets":1,"metrics":2,"default":true,"new":1}]`,
			[]client.ModelEntry{{Name: "a", Path: "/m/a", Revision: "r", Datasets: 1, Metrics: 2, Default: true}}},
		{"Capabilities", func(c *client.Client) (any, error) { return c.Capabilities(ctx) }, "GET /v1/capabilities ",
			`{"engine_version":"1","spec_version":"2","extension":{"version":"1.9","minimum":"1.0","vendor_names":["V"],"keys":[{"key":"window","carrier":"metric","since":"1.1","ignore_impact":"silent","summary":"s"}]},"dialects":[{"name":"postgres","aliases":["postgresql"],"executes":true}],"connection_types":["duckdb"],"features":["attribution"],"limits":[{"name":"body_bytes","value":9,"unit":"bytes","applies_to":"a body","code":"bad_request","setting":"--max-body-bytes"}],"new":1}`,
			&client.Capabilities{EngineVersion: "1", SpecVersion: "2", ConnectionTypes: []string{"duckdb"}, Features: []string{"attribution"},
				Limits: []client.ServiceLimit{{Name: "body_bytes", Value: 9, Unit: "bytes", AppliesTo: "a body", Code: "bad_request", Setting: "--max-body-bytes"}},
				Extension: client.VendorExtension{Version: "1.9", Minimum: "1.0", VendorNames: []string{"V"},
					Keys: []client.ExtensionKey{{Key: "window", Carrier: "metric", Since: "1.1", IgnoreImpact: "silent", Summary: "s"}}},
				Dialects: []client.Dialect{{Name: "postgres", Aliases: []string{"postgresql"}, Executes: true}}}},
		{"Datasets", func(c *client.Client) (any, error) { return c.Datasets(ctx) }, "GET /v1/datasets ",
			`[{"name":"orders","source":"s.orders","primary_key":["id"],"unique_keys":[["a","b"]],"fields":6,"time_dimensions":["orders.d"],"primary_time_dimension":"orders.d","ai_context":{"n":12345678901234567890},"new":1}]`,
			[]client.Dataset{{Name: "orders", Source: "s.orders", PrimaryKey: []string{"id"}, UniqueKeys: [][]string{{"a", "b"}}, Fields: 6,
				TimeDimensions: []string{"orders.d"}, PrimaryTimeDimension: "orders.d", AIContext: map[string]any{"n": json.Number("12345678901234567890")}}}},
		{"Metrics", func(c *client.Client) (any, error) { return c.Metrics(ctx) }, "GET /v1/metrics ",
			`[{"name":"m","kind":"expression","datasets":["orders"],"measures":["a"],"additivity":"additive","derive_family":"compose","derive_members":[{"metric":"x","coefficient":0.5},{"metric":"y"}],"params":{"t":50},"param_schema":{"t":{"type":"int","required":false,"default":50,"allowed":[0,50]}},"attribution":"exact","new":1}]`,
			[]client.Metric{{Name: "m", Kind: "expression", Datasets: []string{"orders"}, Measures: []string{"a"}, Additivity: "additive", DeriveFamily: "compose",
				DeriveMembers: []client.DeriveMember{{Metric: "x", Coefficient: &half}, {Metric: "y"}}, Params: map[string]any{"t": json.Number("50")},
				ParamSchema: map[string]client.ParamSchema{"t": {Type: "int", Default: json.Number("50"), Allowed: []any{json.Number("0"), json.Number("50")}}}, Attribution: "exact"}}},
		{"Dimensions of the model", func(c *client.Client) (any, error) { return c.Dimensions(ctx, "") }, "GET /v1/dimensions ",
			`[{"name":"orders.d","is_time":true,"is_dimension":true,"source":"inferred:time","grains":["day"],"new":1}]`,
			[]client.Dimension{{Name: "orders.d", IsTime: true, IsDimension: true, Source: "inferred:time", Grains: []string{"day"}}}},
		{"Dimensions of a metric", func(c *client.Client) (any, error) { return c.Dimensions(ctx, "a&b=ü") }, "GET /v1/dimensions?metric=a%26b%3D%C3%BC ", `[]`, []client.Dimension{}},
		{"Relationships", func(c *client.Client) (any, error) { return c.Relationships(ctx) }, "GET /v1/relationships ",
			`[{"name":"r","from":"a","to":"b","from_columns":["x"],"to_columns":["y"],"cardinality":"many_to_one","join_type":"inner","error":"unknown_column","new":1}]`,
			[]client.Relationship{{Name: "r", From: "a", To: "b", FromColumns: []string{"x"}, ToColumns: []string{"y"}, Cardinality: "many_to_one", JoinType: "inner", Error: "unknown_column"}}},
		{"Findings", func(c *client.Client) (any, error) { return c.Findings(ctx) }, "GET /v1/findings ",
			`{"compile_errors":[{"code":"unknown_field","location":"l","message":"m","candidates":["a"]}],"warnings":[{"code":"w","location":"l","message":"m"}],"new":1}`,
			&client.Findings{CompileErrors: []client.CompileError{{Code: "unknown_field", Location: "l", Message: "m", Candidates: []string{"a"}}},
				Warnings: []client.Warning{{Code: "w", Location: "l", Message: "m"}}}},
		{"Connections", func(c *client.Client) (any, error) { return c.Connections(ctx) }, "GET /v1/connections ",
			`[{"name":"prod","dialect":"postgres","available":true,"new":1}]`, []client.Connection{{Name: "prod", Dialect: "postgres", Available: true}}},
		{"CheckConnections", func(c *client.Client) (any, error) { return c.CheckConnections(ctx) }, "GET /v1/connections?check=true ",
			`[{"name":"prod","dialect":"postgres","available":true,"reachable":true,"latency_ms":7,"version":"15.4"},{"name":"old","dialect":"mysql","available":true,"reachable":false,"latency_ms":0,"error":"connection","new":1}]`,
			[]client.ConnectionStatus{
				{Connection: client.Connection{Name: "prod", Dialect: "postgres", Available: true}, Reachable: true, LatencyMS: 7, Version: "15.4"},
				{Connection: client.Connection{Name: "old", Dialect: "mysql", Available: true}, Error: "connection"},
			}},
		{"Lineage of the model", func(c *client.Client) (any, error) { return c.Lineage(ctx, "") }, "GET /v1/lineage ",
			`{"nodes":[{"id":"field:o.a","kind":"field","name":"o.a","columns":["a"],"error":"e","new":1}],"edges":[{"from":"dataset:o","to":"dataset:c","relation":"joins","relationship":"r","on":["o.c = c.c"]}],"new":1}`,
			&client.Lineage{Nodes: []client.LineageNode{{ID: "field:o.a", Kind: "field", Name: "o.a", Columns: []string{"a"}, Error: "e"}},
				Edges: []client.LineageEdge{{From: "dataset:o", To: "dataset:c", Relation: "joins", Relationship: "r", On: []string{"o.c = c.c"}}}}},
		{"Lineage of a metric", func(c *client.Client) (any, error) { return c.Lineage(ctx, "a&b") }, "GET /v1/lineage?metric=a%26b ", `{"nodes":[],"edges":[]}`,
			&client.Lineage{Nodes: []client.LineageNode{}, Edges: []client.LineageEdge{}}},
		{"Find", func(c *client.Client) (any, error) {
			return c.Find(ctx, client.FindQuery{Question: "a&b ü", Kinds: []string{"metric", "saved"}, Metrics: []string{"m"}, Limit: 5, Offset: 2})
		}, "GET /v1/find?kinds=metric%2Csaved&limit=5&metrics=m&offset=2&q=a%26b+%C3%BC ",
			`{"query":"a","hits":[{"kind":"metric","name":"m","score":0.5,"why":"name: m","description":"d","use":{"metrics":["m"],"group_by":[{"field":"metric_time","grain":"month"}]},"new":1}],"total":9,"next_offset":7,"match":"near","new":1}`,
			&client.FindResult{Query: "a", Total: 9, NextOffset: pointer(7), Match: "near", Hits: []client.FoundHit{{Kind: "metric", Name: "m", Score: 0.5, Why: "name: m", Description: "d",
				Use: client.QueryUse{Metrics: []string{"m"}, GroupBy: []client.GroupBy{{Field: "metric_time", Grain: "month"}}}}}}},
		{"Values", func(c *client.Client) (any, error) {
			return c.FieldValues(ctx, client.ValuesQuery{Field: "o.d", Like: "a&b ü", WhereSQL: "x = 1", Limit: 5, Offset: 2, Connection: "c", Dialect: "duckdb", Fresh: true})
		}, "GET /v1/values?connection=c&dialect=duckdb&field=o.d&fresh=true&like=a%26b+%C3%BC&limit=5&offset=2&where_sql=x+%3D+1 ",
			`{"field":"o.d","values":[{"value":"a","count":2},{"value":null,"count":1}],"complete":true,"row_count":2,"min":1,"max":2.50,"min_date":"2024-01-01","max_date":"2024-02-01","match":"near","cached":true,"dialect":"d","sql":"s","new":1}`,
			&client.FieldValues{Field: "o.d", Values: []client.FieldValue{{Value: "a", Count: 2}, {Count: 1}}, Complete: true, RowCount: 2, Min: json.Number("1"), Max: json.Number("2.50"),
				MinDate: "2024-01-01", MaxDate: "2024-02-01", Match: "near", Cached: true, Dialect: "d", SQL: "s"}},
		{"Compatible", func(c *client.Client) (any, error) {
			return c.CompatibleItems(ctx, client.CompatibleQuery{MetricQuery: client.MetricQuery{Metrics: []string{"m"}}, Search: "x"})
		}, `POST /v1/query/compatible {"metrics":["m"],"search":"x"}`,
			`{"metrics":["n"],"dimensions":[{"name":"o.d","grains":["day"]}],"counts":{"metrics":1,"dimensions":2},"next_offset":1,"new":1}`,
			&client.CompatibleItems{Metrics: []string{"n"}, Dimensions: []client.CompatibleDimension{{Name: "o.d", Grains: []string{"day"}}}, Counts: client.CompatibleCounts{Metrics: 1, Dimensions: 2}, NextOffset: pointer(1)}},
		{"Validate", func(c *client.Client) (any, error) { return c.Validate(ctx, "version: \"1\"\n") }, `POST /v1/validate {"model":"version: \"1\"\n"}`,
			`{"valid":false,"issues":[{"severity":"error","code":"unsupported_version","location":"l","message":"m"}],"compile_errors":[{"code":"unknown_field","location":"l","message":"m","candidates":["a"],"hint":"h"}],"warnings":[{"code":"w","location":"l","message":"m"}],"new":1}`,
			&client.Validation{Issues: []client.Issue{{Severity: "error", Code: "unsupported_version", Location: "l", Message: "m"}},
				CompileErrors: []client.CompileError{{Code: "unknown_field", Location: "l", Message: "m", Candidates: []string{"a"}, Hint: "h"}},
				Warnings:      []client.Warning{{Code: "w", Location: "l", Message: "m"}}}},
		{"Compile", func(c *client.Client) (any, error) { return c.Compile(ctx, revenue) }, `POST /v1/query/compile {"metrics":["revenue"]}`,
			`{"dialect":"duckdb","sql":"SELECT a < 1","outputs":[{"column":"r__50","metric":"r","params":{"t":50},"time_range":"now"}],"new":1}`,
			&client.Compiled{Dialect: "duckdb", SQL: "SELECT a < 1", Outputs: []client.MetricOutput{{Column: "r__50", Metric: "r", Params: map[string]any{"t": json.Number("50")}, TimeRange: "now"}}}},
		{"Explain", func(c *client.Client) (any, error) { return c.Explain(ctx, revenue) }, `POST /v1/query/explain {"metrics":["revenue"]}`, `{"plan":"Scan\n","new":1}`, &client.Explained{Plan: "Scan\n"}},
		{"Execute", func(c *client.Client) (any, error) { return rowsOf(c.Execute(ctx, revenue)) }, `POST /v1/query/execute {"metrics":["revenue"]}`,
			`{"dialect":"duckdb","sql":"S","columns":["z","a"],"rows":[{"z":450,"a":null}],"row_count":1,"new":1}`, `[{"z":450,"a":null}]`},
		{"Attribute", func(c *client.Client) (any, error) {
			return c.Attribute(ctx, client.AttributeQuery{Metric: "revenue", Dimensions: []string{"orders.status"},
				Baseline: &client.DateWindow{Start: "2024-01-01", End: "2024-02-01"}, Current: &client.DateWindow{Start: "2024-02-01", End: "2024-03-01"}, TopNValues: pointer(0)})
		}, `POST /v1/query/attribute {"metric":"revenue","dimensions":["orders.status"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"},"top_n_values":0}`,
			`{"metric":"revenue","strategy":"term_wise","total_change":{"baseline_value":150,"current_value":null,"delta":80},"warnings":[],"new":1}`,
			&client.Attribution{Metric: "revenue", Strategy: "term_wise", TotalChange: client.TotalChange{Change: client.Change{BaselineValue: 150, CurrentValue: nan, Delta: 80}}, Warnings: []client.AttributionWarning{}}},
		{"SelectCompile", func(c *client.Client) (any, error) { return c.SelectCompile(ctx, detail()) }, "POST /v1/select/compile " + detailBody, `{"dialect":"duckdb","sql":"S"}`, &client.Compiled{Dialect: "duckdb", SQL: "S"}},
		{"SelectExplain", func(c *client.Client) (any, error) { return c.SelectExplain(ctx, detail()) }, "POST /v1/select/explain " + detailBody, `{"plan":"P"}`, &client.Explained{Plan: "P"}},
		{"SelectExecute", func(c *client.Client) (any, error) { return rowsOf(c.SelectExecute(ctx, detail())) }, "POST /v1/select/execute " + detailBody,
			`{"dialect":"duckdb","sql":"S","columns":["status"],"rows":[],"row_count":0}`, `[]`},
		{"CompileSQL", func(c *client.Client) (any, error) { return c.CompileSQL(ctx, statement()) }, "POST /v1/sql/compile " + statementBody,
			`{"dialect":"duckdb","sql":"S","kind":"metric","query":{"metrics":["revenue"]},"columns":[{"name":"revenue","type":"numeric","new":1}],"new":1}`,
			&client.CompiledStatement{Dialect: "duckdb", SQL: "S", Kind: "metric", Query: json.RawMessage(`{"metrics":["revenue"]}`), Columns: []client.SQLColumn{{Name: "revenue", Type: "numeric"}}}},
		{"ExecuteSQL", func(c *client.Client) (any, error) { return rowsOf(c.ExecuteSQL(ctx, statement())) }, "POST /v1/sql/execute " + statementBody,
			`{"dialect":"duckdb","sql":"S","columns":["revenue"],"rows":[{"revenue":1}],"row_count":1}`, `[{"revenue":1}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, asked := serve(t, 200, "application/json", c.answer)
			got, err := c.call(server)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.asks, asked.method+" "+asked.uri+" "+asked.body); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.want, got, cmp.Comparer(sameNumber)); d != "" {
				t.Error(d)
			}
		})
	}
}

func rowsOf(r *client.Result, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(r.Rows)
	return string(text), err
}

func TestReady_DrainingServerIsNot(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		fails      bool
	}{
		{"draining", `{"status":"draining"}`, 503, false},
		{"a proxy without a server", `<h1>503</h1>`, 503, true},
		{"a success that says something else", `{"status":"draining"}`, 200, true},
		{"a page", `<h1>welcome</h1>`, 200, true},
		{"a wrong path", `{"error":{"code":"bad_request","message":"m"}}`, 404, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, _ := serve(t, c.status, "application/json", c.body)
			ready, err := server.Ready(ctx)
			if ready || (err != nil) != c.fails {
				t.Errorf("%t %v", ready, err)
			}
		})
	}
	server, _ := serve(t, 200, "application/json", `{"status":"ill"}`)
	if err := server.Health(ctx); err == nil {
		t.Error("ill is healthy")
	}
}

func TestCalls_ContextEndsEach(t *testing.T) {
	over, cancel := context.WithCancel(ctx)
	cancel()
	server, _ := serve(t, 200, "application/json", `{}`)
	for name, err := range map[string]error{
		"Health":       server.Health(over),
		"Ready":        second(server.Ready(over)),
		"Metrics":      second(server.Metrics(over)),
		"Execute":      second(server.Execute(over, revenue)),
		"ExecuteArrow": second(server.ExecuteArrow(over, revenue)),
	} {
		wantIs(t, name, err, context.Canceled)
	}
}

func second[T any](_ T, err error) error { return err }

func sameNumber(a, b client.NullableNumber) bool {
	return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
}
