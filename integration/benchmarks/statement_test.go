package benchmarks

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// The statements that have the rows of the queries Q1 and Q3.
const (
	oneMetricStatement    = "SELECT region, MEASURE(revenue) FROM shops GROUP BY region"
	threeMetricsStatement = `SELECT region, category, DATE_TRUNC('month', order_date), MEASURE(revenue), MEASURE(order_count), MEASURE(avg_order_value) FROM shops
WHERE status = 'completed' AND segment IN ('retail', 'online') AND order_date >= '2024-01-01' AND order_date < '2025-01-01'
GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 100`
)

// compileStatement returns the whole way from the text of a statement to the text of its SQL.
func compileStatement(tb testing.TB, m *semsql.Model, d *sqlemit.Dialect, text string) string {
	compiled, err := m.Compile(context.Background(), semsql.Statement{SQL: text}, planner.Target{Dialect: d.Name()})
	if err != nil {
		tb.Fatal(err)
	}
	sql, err := sqlemit.Emit(context.Background(), compiled.Planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return sql
}

// BenchmarkStatement is what SQL adds to a query: the text of a statement to SQL, and the body of the equal query to SQL.
// The two take turns; added-µs is the difference of their medians, ratio the quotient.
func BenchmarkStatement(b *testing.B) {
	for _, q := range []struct{ name, body, statement string }{{"Q1", OneMetricQuery, oneMetricStatement}, {"Q3", ThreeMetricsQuery, threeMetricsStatement}} {
		b.Run(q.name, func(b *testing.B) {
			cat, d, body := load(b, LargeModelText(3)), dialect(b), []byte(q.body)
			p, m := planner.New(cat), semsql.New(cat)
			var ofQuery, ofStatement []time.Duration
			for b.Loop() {
				start := time.Now()
				compileSQL(b, p, d, body)
				between := time.Now()
				compileStatement(b, m, d, q.statement)
				ofQuery, ofStatement = append(ofQuery, between.Sub(start)), append(ofStatement, time.Since(between))
			}
			query, statement := median(ofQuery), median(ofStatement)
			b.ReportMetric(float64((statement-query).Nanoseconds())/1000, "added-µs")
			b.ReportMetric(float64(query.Nanoseconds())/1000, "query-µs")
			b.ReportMetric(float64(statement)/float64(query), "ratio")
		})
	}
}

// BenchmarkStatement_HTTP is what SQL adds to a request that compiles: a statement and the equal query over HTTP, planned
// from scratch, one after the other. ratio is the quotient of their medians.
func BenchmarkStatement_HTTP(b *testing.B) {
	address := startCompileServer(b, -1)
	for _, q := range []struct{ name, body, statement string }{{"Q1", OneMetricQuery, oneMetricStatement}, {"Q3", ThreeMetricsQuery, threeMetricsStatement}} {
		b.Run(q.name, func(b *testing.B) {
			body, err := json.Marshal(map[string]string{"sql": q.statement})
			if err != nil {
				b.Fatal(err)
			}
			query := newRequesters(b, 1, address, "/v1/query/compile", q.body)[0]
			statement := newRequesters(b, 1, address, "/v1/sql/compile", string(body))[0]
			measure := func(ask func() error) time.Duration {
				start := time.Now()
				if err := ask(); err != nil {
					b.Fatal(err)
				}
				return time.Since(start)
			}
			var ofQuery, ofStatement []time.Duration
			for b.Loop() {
				ofQuery, ofStatement = append(ofQuery, measure(query)), append(ofStatement, measure(statement))
			}
			b.ReportMetric(float64(median(ofQuery).Nanoseconds())/1000, "query-µs")
			b.ReportMetric(float64(median(ofStatement).Nanoseconds())/1000, "statement-µs")
			b.ReportMetric(float64(median(ofStatement))/float64(median(ofQuery)), "ratio")
		})
	}
}
