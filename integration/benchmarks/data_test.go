package benchmarks

import (
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// BenchmarkServe_DataReady starts the program without a model on a folder of ten Parquet files with 200,000
// rows each, until GET /ready answers 200.
func BenchmarkServe_DataReady(b *testing.B) {
	dir := b.TempDir()
	var copies []string
	for i := range 10 {
		copies = append(copies, "COPY (SELECT i AS ride_id, i % 1000 AS bike_id, DATE '2024-01-01' + (i % 365)::INTEGER AS day, (i % 5000 / 100)::DECIMAL(8,2) AS fare FROM range(200000) t(i)) TO '"+
			filepath.Join(dir, "rides"+strconv.Itoa(i)+".parquet")+"' (FORMAT parquet)")
	}
	e, err := duckdb.Open(b.Context(), duckdb.Options{ExternalAccess: true, Setup: copies})
	if err != nil {
		b.Fatal(err)
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	path := buildProgram(b)
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		p := startProgram(b, path, "--data", dir)
		response, err := http.Get("http://" + p.address + "/ready")
		took = append(took, time.Since(begun))
		p.stop()
		if err != nil {
			b.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			b.Fatalf("/ready: %s", response.Status)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(took).Seconds()*1e3, "ready-ms")
	b.ReportMetric(slices.Max(took).Seconds()*1e3, "longest-ms")
}
