package restapi_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// bodyOfStatement returns the body of a request with a statement.
func bodyOfStatement(t *testing.T, sql string, params ...any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"sql": sql, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSQL_RowsOverHTTP(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	for _, c := range []struct{ sql, rows string }{
		{"SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC", `[{"status":"completed","revenue":350},{"status":"cancelled","revenue":100}]`},
		{"SELECT DATE_TRUNC('month', order_date) AS m, SUM(amount) AS s FROM orders WHERE order_date >= '2024-02-01' GROUP BY 1 ORDER BY 1",
			`[{"m":"2024-02-01T00:00:00","s":230},{"m":"2024-03-01T00:00:00","s":70}]`},
		{"SELECT c.region, SUM(o.amount) FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY c.region ORDER BY 1",
			`[{"region":"east","sum":340},{"region":"west","sum":110}]`},
	} {
		got := do(t, s, request("POST", "/v1/sql/execute", bodyOfStatement(t, c.sql)))
		var answer struct{ Rows json.RawMessage }
		if err := json.Unmarshal([]byte(got.body), &answer); err != nil || got.status != 200 || string(answer.Rows) != c.rows {
			t.Errorf("%s: %d %s", c.sql, got.status, got.body)
		}
	}
	bound := do(t, s, request("POST", "/v1/sql/execute", bodyOfStatement(t, "SELECT COUNT(*) AS n FROM orders WHERE status = $1 AND amount >= $2", "completed", 0)))
	if bound.status != 200 || !strings.Contains(bound.body, `"rows":[{"n":`) {
		t.Errorf("%+v", bound)
	}
}

// The query of a compiled statement has the same rows.
func TestSQL_CompiledQueryHasTheSameRows(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	const sql = "SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC"
	compiled := do(t, s, request("POST", "/v1/sql/compile", bodyOfStatement(t, sql)))
	var c struct {
		Dialect, SQL, Kind string
		Query              json.RawMessage
		Columns            []map[string]string
	}
	if err := json.Unmarshal([]byte(compiled.body), &c); err != nil || compiled.status != 200 {
		t.Fatalf("%+v", compiled)
	}
	if c.Dialect != "duckdb" || c.Kind != "metric" || !strings.HasPrefix(c.SQL, "SELECT") {
		t.Errorf("%s", compiled.body)
	}
	if d := cmp.Diff([]map[string]string{{"name": "status", "type": "text"}, {"name": "revenue", "type": "numeric"}}, c.Columns); d != "" {
		t.Error(d)
	}
	query, statement := do(t, s, request("POST", "/v1/query/execute", string(c.Query))), do(t, s, request("POST", "/v1/sql/execute", bodyOfStatement(t, sql)))
	rows := func(body string) string { _, rest, _ := strings.Cut(body, `"rows":`); return rest }
	if query.status != 200 || rows(query.body) != rows(statement.body) {
		t.Errorf("%+v\n%+v", query, statement)
	}
}

func TestSQL_RefusesWithSQLSTATEAndAStatementThatWorks(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	for _, c := range []struct {
		body, code, state string
		position          int
		retry             string
	}{
		{bodyOfStatement(t, "SELECT status, MEASURE(revenue) FROM orders"), "sql_group_by_required", "42803", 8, `{"sql":"SELECT status, MEASURE(revenue) FROM orders GROUP BY status"}`},
		{bodyOfStatement(t, "SELECT AVG(revenue) FROM orders"), "sql_aggregate_mismatch", "42803", 8, `{"sql":"SELECT MEASURE(revenue) FROM orders"}`},
		{bodyOfStatement(t, "SELEC status FROM orders"), "sql_syntax", "42601", 1, ""},
		{bodyOfStatement(t, "DELETE FROM orders"), "sql_read_only", "25006", 1, ""},
		{bodyOfStatement(t, "SELECT status FROM orders; SELECT 1"), "sql_unsupported", "0A000", 0, ""},
		{bodyOfStatement(t, "SELECT statu FROM orders"), "unknown_column", "42703", 8, ""},
		{bodyOfStatement(t, "SELECT status FROM nowhere"), "unknown_dataset", "42P01", 20, ""},
		{bodyOfStatement(t, "SELECT status, status FROM orders"), "duplicate_output_name", "42701", 0, `{"sql":"SELECT status, status AS status_2 FROM orders"}`},
		{bodyOfStatement(t, "SELECT amount, status_2, MAX(amount), MAX(amount) FROM (SELECT amount, status AS status_2 FROM orders) t GROUP BY 1, 2"), "duplicate_output_name", "42701", 0,
			`{"sql":"SELECT amount, status_2, MAX(amount), MAX(amount) AS max_2 FROM (SELECT amount, status AS status_2 FROM orders) AS t GROUP BY 1, 2"}`},
		{bodyOfStatement(t, "SELECT COUNT(*), COUNT(*), COUNT(*) AS count_2 FROM orders"), "duplicate_output_name", "42701", 0, `{"sql":"SELECT COUNT(*), COUNT(*) AS count_3, COUNT(*) AS count_2 FROM orders"}`},
	} {
		got := do(t, s, request("POST", "/v1/sql/execute", c.body))
		var answer struct {
			Error struct {
				Code           string
				SQLState       string `json:"sqlstate"`
				Position       int
				SuggestedRetry string `json:"suggested_retry"`
			}
		}
		if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
			t.Fatal(err)
		}
		e := answer.Error
		if got.status != 400 || e.Code != c.code || e.SQLState != c.state || c.position > 0 && e.Position != c.position || c.retry != "" && e.SuggestedRetry != c.retry {
			t.Errorf("%s: %d %s", c.body, got.status, got.body)
			continue
		}
		if e.SuggestedRetry != "" {
			if again := do(t, s, request("POST", "/v1/sql/execute", e.SuggestedRetry)); again.status != 200 {
				t.Errorf("%s suggests %s, which has %+v", c.body, e.SuggestedRetry, again)
			}
		}
	}
}

func TestSQL_BodyIsStrict(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	for body, code := range map[string]string{
		`{"sql":"SELECT 1","limit":1}`:      "unknown_query_key",
		`{"query":"SELECT 1"}`:              "unknown_query_key",
		`{}`:                                "bad_request",
		`{"sql":7}`:                         "bad_request",
		`{"sql":"SELECT 1","params":{}}`:    "bad_request",
		`{"sql":"SELECT 1","params":[[1]]}`: "bad_request",
		`{"sql":"SELECT status FROM orders","dialect":"cobol"}`: "bad_request",
		`{"sql":"` + strings.Repeat("(", 50000) + `"}`:          "bad_request",
	} {
		if got := do(t, s, request("POST", "/v1/sql/compile", body)); got.status != 400 || !strings.Contains(got.body, `"code":"`+code+`"`) {
			t.Errorf("%.60s: %d %.300s", body, got.status, got.body)
		}
	}
	only := shop(t, "orders", restapi.Config{DisableExecute: true})
	if got := do(t, only, request("POST", "/v1/sql/execute", `{"sql":"SELECT status FROM orders"}`)); got.status != 403 {
		t.Errorf("%+v", got)
	}
	if got := do(t, only, request("POST", "/v1/sql/compile", `{"sql":"SELECT status FROM orders"}`)); got.status != 200 {
		t.Errorf("%+v", got)
	}
}

// A parameter has the type of what it is compared with; a value that does not read as that is rejected.
func TestSQL_ParametersAreTyped(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	for _, c := range []struct {
		sql     string
		params  []any
		outcome string
	}{
		{"SELECT COUNT(*) AS n FROM orders WHERE order_date >= $1", []any{"2024-03-01"}, `"rows":[{"n":1}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount > $1", []any{"60"}, `"rows":[{"n":4}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount > $1", []any{60.5}, `"rows":[{"n":4}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount IN ($1, $2)", []any{50, 30}, `"rows":[{"n":2}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE status = $1 OR $2", []any{"cancelled", false}, `"rows":[{"n":2}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE status = $1", []any{nil}, `"rows":[{"n":0}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE status = $1", []any{"'; DROP TABLE orders; --"}, `"rows":[{"n":0}]`},
		{"SELECT order_id FROM orders ORDER BY 1 LIMIT $1 OFFSET $2", []any{2, "3"}, `"rows":[{"order_id":4},{"order_id":5}]`},
		{"SELECT order_id FROM orders ORDER BY 1 LIMIT $1", []any{-1}, `"sqlstate":"2201W"`},
		{"SELECT order_id FROM orders ORDER BY 1 LIMIT $1", []any{"many"}, `"sqlstate":"22P02"`},
		{"SELECT COUNT(*) AS n FROM orders WHERE order_date >= $1", []any{"soon"}, `"sqlstate":"22007"`},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount > $1", []any{"a lot"}, `"sqlstate":"22P02"`},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount > $1", nil, `"code":"sql_parameter"`},
		{"SELECT COUNT(*) AS n FROM orders", []any{1}, `"code":"sql_parameter"`},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount > $2", []any{1}, `"code":"sql_parameter"`},
		{"SELECT COUNT(*) AS n FROM orders WHERE status = $1", []any{strings.Repeat("x", 70_000)}, `"sqlstate":"54000"`},
	} {
		if c.params == nil {
			c.params = []any{}
		}
		if got := do(t, s, request("POST", "/v1/sql/execute", bodyOfStatement(t, c.sql, c.params...))); !strings.Contains(got.body, c.outcome) {
			t.Errorf("%s %.60v: %d %.300s, want %s", c.sql, c.params, got.status, got.body, c.outcome)
		}
	}
}

// A result that is read whole is bounded, and a stream of it is not; the LIMIT of the statement keeps it small.
func TestSQL_ResultsAreBoundedAsThoseOfQueries(t *testing.T) {
	const many = `version: 0.2.0.dev0
name: m
datasets:
  - name: numbers
    source: SELECT i AS n FROM range(100000) r(i)
    fields: [{name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}]
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(numbers.n)}]}}
`
	e, err := engine.Open(t.Context(), engine.Config{Drivers: drivers(), ModelText: []byte(many), MaxAnswerBytes: 50_000, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	s := serve(t, e, restapi.Config{})
	for _, sql := range []string{"SELECT n FROM numbers", "SELECT n, MEASURE(total) FROM m GROUP BY 1", "SELECT n FROM numbers UNION ALL SELECT n FROM numbers LIMIT 90000"} {
		statement, query := do(t, s, request("POST", "/v1/sql/execute", bodyOfStatement(t, sql))), do(t, s, request("POST", "/v1/query/execute", `{"metrics":["total"],"group_by":[{"field":"numbers.n"}]}`))
		if statement.status != 502 || statement.body != query.body {
			t.Errorf("%s: %d %s, want the error of a query: %s", sql, statement.status, statement.body, query.body)
		}
		if got := do(t, s, request("POST", "/v1/sql/execute", bodyOfStatement(t, sql), "Accept", arrowType)); got.status != 200 || len(got.body) < 100_000 {
			t.Errorf("%s as a stream: %d, %d bytes", sql, got.status, len(got.body))
		}
		if got := do(t, s, request("POST", "/v1/sql/execute", bodyOfStatement(t, "SELECT * FROM ("+sql+") t LIMIT 1000"))); got.status != 200 || !strings.Contains(got.body, `"row_count":1000`) {
			t.Errorf("%s with a limit: %d %.200s", sql, got.status, got.body)
		}
	}
}
