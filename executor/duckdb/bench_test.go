package duckdb_test

import (
	"errors"
	"io"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// BenchmarkStream reads two million rows of a key, a double and a text.
func BenchmarkStream(b *testing.B) {
	e := open(b, duckdb.Options{Setup: []string{
		"CREATE TABLE t AS SELECT i, i * 1.5::DOUBLE AS d, 'status ' || i % 5 AS s FROM range(2000000) r(i)",
	}})
	var rowsRead int64
	b.ReportAllocs()
	for b.Loop() {
		rows, err := e.Query(b.Context(), "SELECT * FROM t")
		if err != nil {
			b.Fatal(err)
		}
		for {
			batch, err := rows.Next(b.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			rowsRead += batch.NumRows()
			batch.Release()
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rowsRead)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}

// BenchmarkSmallQuery is the cost of a query apart from its rows.
func BenchmarkSmallQuery(b *testing.B) {
	e := open(b, duckdb.Options{})
	b.ReportAllocs()
	for b.Loop() {
		_ = query(b, e, "SELECT 42 AS n")
	}
}
