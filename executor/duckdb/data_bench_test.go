package duckdb_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/duckdb"
)

const (
	ridesRows  = "SELECT i AS id, i % 1000 AS bike, DATE '2024-01-01' + (i % 365)::INTEGER AS day, (i % 5000 / 100)::DECIMAL(8,2) AS fare FROM range(2000000) t(i)"
	ridesQuery = "SELECT bike, date_trunc('month', day) AS month, sum(fare) AS fare, count(*) AS n FROM rides GROUP BY ALL ORDER BY ALL LIMIT 100"
)

// BenchmarkDataQuery compares one query over a Parquet file with the same over a DuckDB file.
func BenchmarkDataQuery(b *testing.B) {
	folder := b.TempDir()
	writeParquet(b, filepath.Join(folder, "data", "rides.parquet"), ridesRows)
	path := filepath.Join(folder, "rides.duckdb")
	if err := duckdb.CreateDatabase(b.Context(), path, "CREATE TABLE rides AS "+ridesRows); err != nil {
		b.Fatal(err)
	}
	parquet, file := openData(b, filepath.Join(folder, "data")), open(b, duckdb.Options{Path: path})
	if query(b, parquet, ridesQuery) != query(b, file, ridesQuery) {
		b.Fatal("the two results differ")
	}
	var overParquet, overFile time.Duration
	for b.Loop() {
		begun := time.Now()
		query(b, parquet, ridesQuery)
		between := time.Now()
		query(b, file, ridesQuery)
		overParquet, overFile = overParquet+between.Sub(begun), overFile+time.Since(between)
	}
	b.ReportMetric(float64(overParquet)/float64(overFile), "ratio")
	b.ReportMetric(overParquet.Seconds()*1000/float64(b.N), "parquet-ms")
	b.ReportMetric(overFile.Seconds()*1000/float64(b.N), "duckdb-ms")
}
