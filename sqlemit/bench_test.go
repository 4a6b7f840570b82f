package sqlemit_test

import (
	"testing"

	"github.com/semlayer/semlayer/sqlemit"
)

// One branch, two joined dimensions: the size of most queries.
func BenchmarkEmit(b *testing.B) {
	plans := allPlans(b)
	for _, name := range []string{"one_branch", "combine_two", "window_over_aggregate"} {
		root := readPlan(b, plans[name+".txtar"])
		for _, dialect := range []string{"duckdb", "postgres", "mysql"} {
			d, _ := sqlemit.LookupDialect(dialect)
			b.Run(name+"/"+dialect, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := sqlemit.Emit(b.Context(), root, d, sqlemit.FormatOptions{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
