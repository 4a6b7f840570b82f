package benchmarks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// rolledUpModel returns the model of compile latency with n rollups of orders. Each has revenue and order_count by a part of the fields that
// ThreeMetricsQuery reads, under separate names; the last has all of them if serves is true.
func rolledUpModel(tb testing.TB, n int, serves bool) string {
	tb.Helper()
	type field struct {
		Field  string `json:"field"`
		Grain  string `json:"grain,omitempty"`
		Column string `json:"column"`
	}
	type measure struct {
		Expression string `json:"expression"`
		Column     string `json:"column"`
	}
	type rollup struct {
		Name     string    `json:"name"`
		Of       string    `json:"of"`
		Source   string    `json:"source"`
		GroupBy  []field   `json:"group_by"`
		Measures []measure `json:"measures"`
	}
	fields := []string{"orders.status", "customers.region", "customers.segment", "products.category"}
	all := 1<<len(fields) - 1
	grains := []string{"day", "week", "month", "quarter", "year"}
	rollups := make([]rollup, n)
	for i := range rollups {
		parts, grain := i%all, grains[i/all%len(grains)]
		if serves && i == n-1 {
			parts, grain = all, "month"
		}
		r := rollup{Name: fmt.Sprintf("rollup_%d", i), Of: "orders", Source: fmt.Sprintf("agg.rollup_%d", i)}
		r.GroupBy = []field{{Field: "orders.order_date", Grain: grain, Column: "bucket"}}
		for f, name := range fields {
			if parts&(1<<f) != 0 {
				r.GroupBy = append(r.GroupBy, field{Field: name, Column: strings.ReplaceAll(name, ".", "_")})
			}
		}
		r.Measures = []measure{{"SUM(orders.amount)", "amount"}, {"COUNT(orders.order_id)", "orders"}}
		rollups[i] = r
	}
	payload, err := json.Marshal(map[string]any{"v": "1.10", "rollups": rollups})
	if err != nil {
		tb.Fatal(err)
	}
	return LargeModelText(3) + "    custom_extensions:\n      - {vendor_name: SEMLAYER, data: '" + string(payload) + "'}\n"
}

// compileWithRollups is compileSQL for a connection whose rollups may be read. It returns the plan beside the SQL.
func compileWithRollups(tb testing.TB, p *planner.Planner, d *sqlemit.Dialect, body []byte) (*plan.PlannedQuery, string) {
	q, err := query.DecodeMetric(body)
	if err != nil {
		tb.Fatal(err)
	}
	planned, err := p.PlanMetrics(context.Background(), q, planner.Target{Dialect: d.Name(), Rollups: new(plan.RollupTarget)})
	if err != nil {
		tb.Fatal(err)
	}
	sql, err := sqlemit.Emit(context.Background(), planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return planned, sql
}

// routingCosts are the models whose rollups the planner compares with a branch; the first has none.
var routingCosts = []struct {
	name    string
	rollups int
	serves  bool
}{{"none", 0, false}, {"one_of_100_serves", 100, true}, {"none_of_100_serves", 100, false}}

// BenchmarkCompile_Rollups compiles a query over a model with rollups and over one without, in turn; added-µs is what the rollups add to the
// median.
func BenchmarkCompile_Rollups(b *testing.B) {
	const batch = 50
	d := dialect(b)
	plain := planner.New(load(b, LargeModelText(3)))
	for _, c := range routingCosts {
		b.Run(c.name, func(b *testing.B) {
			rolled := plain
			if c.rollups > 0 {
				rolled = planner.New(load(b, rolledUpModel(b, c.rollups, c.serves)))
			}
			compile := func(p *planner.Planner) time.Duration {
				return measureDuration(func() {
					for range batch {
						compileWithRollups(b, p, d, []byte(ThreeMetricsQuery))
					}
				}) / batch
			}
			var with, without []time.Duration
			for b.Loop() {
				with, without = append(with, compile(rolled)), append(without, compile(plain))
			}
			b.ReportMetric(float64(median(with)-median(without))/1e3, "added-µs")
			b.ReportMetric(float64(median(without))/1e3, "without-µs")
		})
	}
}

// The query whose routing is measured reads the rollup that serves it, and has a reason for each where none does.
func TestRollupRouting_MeasuresWhatItSays(t *testing.T) {
	d := dialect(t)
	for _, c := range routingCosts[1:] {
		planned, sql := compileWithRollups(t, planner.New(load(t, rolledUpModel(t, c.rollups, c.serves))), d, []byte(ThreeMetricsQuery))
		if len(planned.Rollups) != 1 {
			t.Fatalf("%s: %d branches", c.name, len(planned.Rollups))
		}
		use := planned.Rollups[0]
		if reads := strings.Contains(sql, "agg.rollup_99"); reads != c.serves || c.serves == (use.Rollup == nil) {
			t.Errorf("%s: rollup %v, SQL %s", c.name, use.Rollup, sql)
		}
		if want := map[bool]int{true: 0, false: 20}[c.serves]; len(use.WhyNot) != want {
			t.Errorf("%s: %d reasons, want %d", c.name, len(use.WhyNot), want)
		}
	}
}
