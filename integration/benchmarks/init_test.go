package benchmarks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/tables"
)

// BenchmarkInit makes a model of 100 tables of eight columns without rows and, in turn, reads
// the catalog alone.
func BenchmarkInit(b *testing.B) {
	var script strings.Builder
	for i := range 100 {
		fmt.Fprintf(&script, "CREATE TABLE t%d (id INTEGER PRIMARY KEY, t%d_id INTEGER, name VARCHAR, amount DECIMAL(10,2), "+
			"created_at TIMESTAMP, price DOUBLE, start_date DATE, kind VARCHAR);\n", i, (i+1)%100)
	}
	db, err := duckdb.Open(b.Context(), duckdb.Options{Setup: []string{script.String()}})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	var catalog, model []time.Duration
	for b.Loop() {
		catalog = append(catalog, measureDuration(func() {
			if list, err := tables.Read(b.Context(), db, tables.Options{}); err != nil || len(list) != 100 {
				b.Fatal(len(list), err)
			}
		}))
		model = append(model, measureDuration(func() {
			out, err := generate.GenerateFromWarehouse(b.Context(), db, generate.Options{Name: "m", MaxRows: generate.DefaultMaxRows})
			if err != nil || out.Report.Datasets != 100 {
				b.Fatal(err)
			}
		}))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(median(model))/float64(median(catalog)), "ratio")
	b.ReportMetric(median(model).Seconds()*1e3, "init-ms")
	b.ReportMetric(median(catalog).Seconds()*1e3, "catalog-ms")
}
