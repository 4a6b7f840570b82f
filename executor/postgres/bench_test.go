package postgres_test

import (
	"errors"
	"io"
	"testing"

	"github.com/semlayer/semlayer/executor/postgres"
)

// BenchmarkStream reads a hundred thousand rows of a key, a double, a text and
// a money sum.
func BenchmarkStream(b *testing.B) {
	e, err := postgres.Open(options(servers.Postgres(b).Address))
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	var total int64
	b.ReportAllocs()
	for b.Loop() {
		rows, err := e.Query(b.Context(), "SELECT i, i * 1.5::float8 AS d, 'status ' || i % 5 AS s, i * 1.05 AS m FROM (SELECT generate_series(1, 100000) AS i) AS t")
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
			total += batch.NumRows()
			batch.Release()
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
