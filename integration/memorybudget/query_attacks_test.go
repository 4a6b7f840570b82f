//go:build linux

package memorybudget

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// queryAttacks are queries whose plans, rows or results are large.
func queryAttacks() []attack {
	long := strings.Repeat("x", 60_000)
	var constants, built []string
	for i := range 14 {
		constants = append(constants, fmt.Sprintf("'%s' AS c%d", long, i))
		built = append(built, fmt.Sprintf("CAST(sale AS TEXT) || '%s' AS c%d", long[:2000+i], i))
	}
	ranges := map[string]any{}
	for i := range 190 {
		ranges[fmt.Sprintf("r%d", i)] = map[string]any{"start": "2024-01-01", "end": fmt.Sprintf("2024-02-%02d", 1+i%28)}
	}
	var metrics []any
	for i := range 10 {
		metrics = append(metrics, map[string]any{"name": fmt.Sprintf("m%d", i), "expression": "SUM(sales.price" + strings.Repeat(" + sales.price", 90) + ")"})
	}
	expanding := map[string]any{"metrics": metrics, "time_ranges": ranges}
	grown := "CAST(sale AS TEXT)"
	for _, digit := range "123" {
		grown = fmt.Sprintf("REPLACE(%s, '%c', '%s')", grown, digit, strings.Repeat("45678", 12))
	}
	return []attack{
		{name: "texts that grow in many rows", long: true, send: together(4, streamed("SELECT sale, "+grown+" AS t FROM sales ORDER BY 2 LIMIT 1000"))},
		{name: "metric queries that grow when they are planned", long: true, send: together(4, posted("/v1/query/compile", expanding))},
		{name: "plans of metric queries that grow", long: true, send: together(4, posted("/v1/query/explain", expanding))},
		{name: "queries for rows with many fields", long: true, send: together(16, posted("/v1/select/compile", detailQuery()))},
		{name: "attributions over many groups", long: true, send: together(2, posted("/v1/query/attribute", map[string]any{
			"metric": "takings", "dimensions": []string{"sales.sale", "sales.receipt", "sales.price", "sales.sold_on"}, "max_values_per_dimension": 1000,
			"baseline": map[string]any{"start": "2024-01-01", "end": "2024-02-01"}, "current": map[string]any{"start": "2024-02-01", "end": "2024-03-01"},
		}))},
		{name: "constants of many rows as JSON", long: true, door: doorJSON, part: "results", send: together(4, executed("SELECT sale, "+strings.Join(constants, ", ")+" FROM sales"))},
		{name: "constants of many rows as Arrow", send: together(4, streamed("SELECT sale, "+strings.Join(constants, ", ")+" FROM sales"))},
		{name: "constants of many rows over MCP", long: true, door: doorMCP, part: "results", send: together(4, posted("/mcp", map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "run_sql", "arguments": map[string]any{"sql": "SELECT sale, " + strings.Join(constants, ", ") + " FROM sales"}},
		}))},
		{name: "constants of many rows on the PostgreSQL port", long: true, door: doorSQL, part: "results", send: together(4, statementOnPort("SELECT sale, "+strings.Join(constants, ", ")+" FROM sales LIMIT 5000"))},
		{name: "texts of many rows as Arrow", long: true, door: doorArrow, part: "results", send: together(4, streamed("SELECT sale, "+strings.Join(built, ", ")+" FROM sales"))},
		{name: "texts that grow in a sort", long: true, send: together(4, streamed("SELECT sale, "+strings.Join(built, ", ")+" FROM sales ORDER BY c3 DESC LIMIT 1000"))},
		{name: "many groups at once", long: true, send: together(4, executed("SELECT sale, "+built[0]+", MEASURE(takings) AS t FROM sales GROUP BY 1, 2 ORDER BY 3 LIMIT 10"))},
	}
}

// detailQuery defines as many fields as a query may have, each with a long expression.
func detailQuery() map[string]any {
	var fields []string
	var with []any
	for i := range 32 {
		name := fmt.Sprintf("f%d", i)
		fields = append(fields, "sales."+name)
		with = append(with, map[string]any{"dataset": "sales", "name": name, "expression": "price" + strings.Repeat(" + price", 90)})
	}
	return map[string]any{"from": "sales", "fields": fields, "with": with}
}

// streamed reads the beginning of an Arrow stream slowly.
func streamed(sql string) func(context.Context, *server, int, func(ending)) {
	return func(ctx context.Context, s *server, _ int, end func(ending)) {
		begun := time.Now()
		body := fmt.Sprintf(`{"sql": %q}`, sql)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+"/v1/sql/execute", strings.NewReader(body))
		if err != nil {
			end(ending{"no request", 0, err})
			return
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/vnd.apache.arrow.stream")
		got, err := client.Do(r)
		if err != nil {
			end(ending{"no response", time.Since(begun), err})
			return
		}
		defer got.Body.Close()
		first := make([]byte, 200)
		n, _ := io.ReadAtLeast(got.Body, first, 1)
		took := time.Since(begun)
		if got.StatusCode == http.StatusOK {
			_, _ = io.CopyN(io.Discard, got.Body, 200<<20) // a stream may break off
			end(ending{"200, a row", took, nil})
			return
		}
		end(ending{fmt.Sprintf("%d %s", got.StatusCode, first[:n]), took, defect(response{got.StatusCode, string(first[:n])})})
		_ = err
	}
}
