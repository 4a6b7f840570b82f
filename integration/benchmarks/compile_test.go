package benchmarks

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// sizes are the numbers of datasets that compile latency is measured over.
var sizes = []int{3, 10, 100, 1000}

func load(tb testing.TB, text string) *catalog.Catalog {
	tb.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	issues, err := modelspec.Validate(tb.Context(), doc)
	if err != nil {
		tb.Fatal(err)
	}
	for _, issue := range issues {
		if issue.Severity == modelspec.SeverityError {
			tb.Fatalf("%s: %s", issue.Code, issue.Message)
		}
	}
	cat, err := compile.Compile(tb.Context(), doc, compile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if len(cat.Errors) > 0 {
		tb.Fatal(cat.Errors[0])
	}
	return cat
}

// compileSQL returns the whole way from the text of a query to the text of its SQL.
func compileSQL(tb testing.TB, p *planner.Planner, d *sqlemit.Dialect, body []byte) string {
	q, err := query.DecodeMetric(body)
	if err != nil {
		tb.Fatal(err)
	}
	planned, err := p.PlanMetrics(context.Background(), q, planner.Target{Dialect: d.Name()})
	if err != nil {
		tb.Fatal(err)
	}
	sql, err := sqlemit.Emit(context.Background(), planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return sql
}

// BenchmarkCompile measures query text to SQL text over models of growing size.
func BenchmarkCompile(b *testing.B) {
	for _, q := range []struct{ name, body string }{{"Q1", OneMetricQuery}, {"Q3", ThreeMetricsQuery}} {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%s/datasets=%d", q.name, n), func(b *testing.B) {
				p, d, body := planner.New(load(b, LargeModelText(n))), dialect(b), []byte(q.body)
				b.ReportAllocs()
				for b.Loop() {
					compileSQL(b, p, d, body)
				}
			})
		}
	}
}

// BenchmarkCompile_Ratios measures how compile time grows with the number of
// ratio metrics in one query.
func BenchmarkCompile_Ratios(b *testing.B) {
	for _, n := range []int{20, 80} {
		b.Run(fmt.Sprintf("metrics=%d", n), func(b *testing.B) {
			text, body := ratios(n)
			p, d := planner.New(load(b, text)), dialect(b)
			b.ReportAllocs()
			for b.Loop() {
				compileSQL(b, p, d, body)
			}
		})
	}
}

// ratios returns a model with n ratio metrics and a query of all of them.
func ratios(n int) (model string, body []byte) {
	var metrics strings.Builder
	names := make([]string, n)
	for i := range n {
		names[i] = fmt.Sprintf("ratio_%d", i)
		writeMetricYAML(&metrics, names[i], fmt.Sprintf("SUM(orders.amount * %d) / COUNT(orders.order_id)", i+1))
	}
	query := `{"metrics":["` + strings.Join(names, `","`) + `"],"group_by":[{"field":"customers.region"}]}`
	return LargeModelText(3) + metrics.String(), []byte(query)
}
