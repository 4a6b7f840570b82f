package semsql_test

import (
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql"
)

func BenchmarkCompile(b *testing.B) {
	for name, sql := range map[string]string{
		"one metric":    "SELECT MEASURE(revenue) FROM shop",
		"a group":       "SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC",
		"several facts": "SELECT DATE_TRUNC('month', metric_time) AS m, region, MEASURE(revenue), MEASURE(order_count) FROM shop WHERE metric_time >= '2024-01-01' GROUP BY 1, 2 HAVING MEASURE(revenue) > 10 ORDER BY 1 LIMIT 10",
	} {
		m := shop(b)
		target := planner.Target{Dialect: "duckdb"}
		compiled, err := m.Compile(b.Context(), semsql.Statement{SQL: sql}, target)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/statement", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Compile(b.Context(), semsql.Statement{SQL: sql}, target); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/query", func(b *testing.B) {
			b.ReportAllocs()
			p := planner.New(shopCatalog(b))
			for b.Loop() {
				if _, err := p.PlanMetrics(b.Context(), compiled.Metric, target); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
