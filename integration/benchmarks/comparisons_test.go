package benchmarks

import (
	"testing"
	"time"
)

// oneAndThreeComparisons have the earlier ranges of a month of sales. The months are apart, so that the ranges do not overlap.
var oneAndThreeComparisons = map[string][2]string{
	"by_shop":  {`[{"field":"sales.shop_id"}]`, `"2023-10-01","end":"2023-11-01"`},
	"by_day":   {`[{"field":"metric_time","grain":"day"}]`, `"2023-10-01","end":"2023-11-01"`},
	"by_month": {`[{"field":"metric_time","grain":"month"}]`, `"2023-07-01","end":"2024-01-01"`},
}

// BenchmarkComparisons compares a query with three earlier ranges with the query with the first of them, in turn: ratio is the quotient of
// the medians.
func BenchmarkComparisons(b *testing.B) {
	e := openConstructsOnDuckDB(b, factRows(b))
	for name, c := range oneAndThreeComparisons {
		b.Run(name, func(b *testing.B) {
			asked := func(compare string) string {
				return e.compile(b, queryConstructVersusSQLBenchmark{query: `{"metrics":["pieces"],"group_by":` + c[0] + `,"time_range":{"start":` + c[1] + `,"dimension":"metric_time"},"compare":` + compare + `}`})
			}
			one := asked(`{"offset":{"count":6,"unit":"month"}}`)
			three := asked(`[{"offset":{"count":6,"unit":"month"}},{"name":"year","offset":{"count":12,"unit":"month"}},{"name":"longer","offset":{"count":18,"unit":"month"}}]`)
			var ofOne, ofThree []time.Duration
			for b.Loop() {
				ofOne, ofThree = append(ofOne, queryDuration(b, e.db, one)), append(ofThree, queryDuration(b, e.db, three))
			}
			for len(ofOne) < 5 {
				ofOne, ofThree = append(ofOne, queryDuration(b, e.db, one)), append(ofThree, queryDuration(b, e.db, three))
			}
			b.ReportMetric(float64(median(ofThree))/float64(median(ofOne)), "ratio")
			b.ReportMetric(float64(median(ofThree))/1e6, "three-ms")
			b.ReportMetric(float64(median(ofOne))/1e6, "one-ms")
		})
	}
}
