package benchmarks

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// findQuestions are questions over the model of 1,000 datasets: several names, a misspelt word, words of many
// objects, and one that nothing matches.
var findQuestions = []string{
	"total amount by region of claim 17", "how many statuses per month", "avrage amount", "amount", "invoice 240 price",
	"price and weight of shipments by country and the number of tickets", "zzqx vvkw",
}

// BenchmarkFind asks the index of a model with 1,000 datasets; p50-ms and p99-ms are of all questions, build-ms and
// heap-MiB of the index.
func BenchmarkFind(b *testing.B) {
	text := wideModel(1000)
	loaded, built := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64) // the best of five, in turn
	var before, after runtime.MemStats
	var x *find.Index
	for range 5 {
		begun := time.Now()
		cat := load(b, text)
		loaded = min(loaded, time.Since(begun))
		runtime.GC()
		runtime.GC() // pools of the loader are empty after the second collection
		runtime.ReadMemStats(&before)
		begun = time.Now()
		x = find.NewIndex(cat, "duckdb")
		built = min(built, time.Since(begun))
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(cat)
	}
	var took []time.Duration
	for b.Loop() {
		for _, q := range findQuestions {
			took = append(took, measureDuration(func() { x.Find(find.SearchRequest{Text: q, Limit: 10}) }))
		}
	}
	least := time.Duration(0) // of the slowest question
	for i := range findQuestions {
		var of []time.Duration
		for k := i; k < len(took); k += len(findQuestions) {
			of = append(of, took[k])
		}
		least = max(least, slices.Min(of))
	}
	b.ReportMetric(float64(least)/1e6, "slowest-ms")
	slices.Sort(took)
	b.ReportMetric(float64(len(x.Objects())), "objects")
	b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
	b.ReportMetric(float64(built)/1e6, "build-ms")
	b.ReportMetric(float64(built)/float64(loaded), "of-load")
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/(1<<20), "heap-MiB")
}

// BenchmarkCompatible lists what queries over a model with 1,000 datasets accept; compiles is the time of a list in
// compilations of such a query.
func BenchmarkCompatible(b *testing.B) {
	cat := load(b, LargeModelText(1000))
	p, d := planner.New(cat), dialect(b)
	t := planner.Target{Dialect: d.Name(), Caps: d.Capabilities()}
	one := cat.Metrics[0].Name
	compile := func() {
		planned, err := p.PlanMetrics(b.Context(), &query.MetricQuery{Metrics: []string{one}}, t)
		if err == nil {
			_, err = sqlemit.Emit(b.Context(), planned.Root, d, sqlemit.FormatOptions{})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		query query.MetricQuery
	}{
		{"one_metric", query.MetricQuery{Metrics: []string{one}}},
		{"no_metric", query.MetricQuery{}},
		{"one_dimension", query.MetricQuery{GroupBy: []query.GroupBy{{Field: cat.Datasets[0].Fields[1].QualifiedName()}}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var lists, compiles []time.Duration
			var items planner.CompatibleItems
			for b.Loop() {
				lists = append(lists, measureDuration(func() {
					var err error
					if items, err = p.FindCompatibleItems(b.Context(), &c.query, t); err != nil {
						b.Fatal(err)
					}
				}))
				compiles = append(compiles, measureDuration(compile))
			}
			b.ReportMetric(float64(median(lists))/1e6, "ms")
			b.ReportMetric(float64(median(lists))/float64(median(compiles)), "compiles")
			b.ReportMetric(float64(len(items.Metrics)), "metrics")
			b.ReportMetric(float64(len(items.Dimensions)), "dimensions")
		})
	}
}

// wideModel returns a model of n datasets with 21 fields and 3 metrics each, described.
func wideModel(n int) string {
	subjects := []string{"invoice", "claim", "visit", "patient", "policy", "payment", "shipment", "ticket", "campaign", "machine", "contract", "lesson"}
	words := []string{"region", "status", "amount", "created at", "owner", "city", "country", "segment", "channel", "price", "quantity", "discount", "priority", "category", "brand", "weight", "color", "source", "language", "score"}
	var b, metrics strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: wide\n    datasets:\n")
	for i := range n {
		subject := subjects[i%len(subjects)]
		name := fmt.Sprintf("%s_%d", subject, i)
		fmt.Fprintf(&b, "      - name: %[1]s\n        source: %[1]s\n        primary_key: [id]\n        description: The %[2]ss of branch %[3]d\n        fields:\n", name, subject, i)
		b.WriteString("          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}\n")
		for k, w := range words {
			fmt.Fprintf(&b, "          - {name: %s, description: %q, ai_context: {synonyms: [%q]}, expression: {dialects: [{dialect: ANSI_SQL, expression: c%d}]}}\n",
				strings.ReplaceAll(w, " ", "_"), "The "+w+" of a "+subject+" as its clerk wrote it down", subject+" "+words[(k+i)%len(words)], k)
		}
		for k, function := range []string{"SUM", "AVG", "COUNT"} {
			fmt.Fprintf(&metrics, "      - {name: %s_%s, description: %q, expression: {dialects: [{dialect: ANSI_SQL, expression: %s(%s.%s)}]}}\n",
				name, strings.ToLower(function), "What "+subject+"s of branch "+fmt.Sprint(i)+" come to", function, name, words[2+k*7])
		}
	}
	b.WriteString("    metrics:\n" + metrics.String())
	return b.String()
}
