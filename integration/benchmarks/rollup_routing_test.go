package benchmarks

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

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
				rolled = planner.New(load(b, RolledUpModelText(c.rollups, c.serves)))
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
		planned, sql := compileWithRollups(t, planner.New(load(t, RolledUpModelText(c.rollups, c.serves))), d, []byte(ThreeMetricsQuery))
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
