package benchmarks

import (
	"testing"
	"time"

	"github.com/semlayer/semlayer/planner"
)

// BenchmarkCompile_FlatInModelSize sets the largest model beside the smallest: batches of compilations
// take turns, and ratio is the quotient of the medians.
func BenchmarkCompile_FlatInModelSize(b *testing.B) {
	const batch = 50 // a compilation is too short for the clock
	small, large := planner.New(load(b, LargeModelText(sizes[0]))), planner.New(load(b, LargeModelText(sizes[len(sizes)-1])))
	d := dialect(b)
	for _, q := range []struct{ name, body string }{{"Q1", OneMetricQuery}, {"Q3", ThreeMetricsQuery}} {
		b.Run(q.name, func(b *testing.B) {
			over := func(p *planner.Planner) func() {
				return func() {
					for range batch {
						compileSQL(b, p, d, []byte(q.body))
					}
				}
			}
			var ofSmall, ofLarge []time.Duration
			for b.Loop() {
				ofSmall, ofLarge = append(ofSmall, measureDuration(over(small))), append(ofLarge, measureDuration(over(large)))
			}
			b.ReportMetric(float64(median(ofLarge))/float64(median(ofSmall)), "ratio")
			b.ReportMetric(float64(median(ofSmall))/batch/1e3, "small-µs")
			b.ReportMetric(float64(median(ofLarge))/batch/1e3, "large-µs")
		})
	}
}
