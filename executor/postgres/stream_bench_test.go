package postgres_test

import (
	"errors"
	"io"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

// streamed are the tables that the streaming benchmark reads: three columns, and twenty of the
// types that a warehouse has.
var streamed = []struct {
	name   string
	rows   int
	values string
}{
	{"narrow", 1_000_000, "i::bigint AS id, i * 1.5::float8 AS amount, 'status ' || i % 5 AS status"},
	{"wide", 300_000, `i::bigint AS id, (i % 1000)::int AS customer, (i % 7)::smallint AS kind, i % 3 = 0 AS paid,
		i * 1.5::float8 AS weight, (i / 7.0)::float4 AS score, (i * 1.05)::numeric(12,2) AS amount, (i % 100 / 100.0)::numeric(5,4) AS rate,
		i::numeric AS total, date '2020-01-01' + i % 1500 AS ordered, timestamp '2020-01-01' + i * interval '1 min' AS created,
		timestamptz '2020-01-01Z' + i * interval '1 min' AS updated, time '00:00' + i % 86400 * interval '1 s' AS at,
		'status ' || i % 5 AS status, md5(i::text) AS token, md5(i::text)::uuid AS ref,
		CASE WHEN i % 4 > 0 THEN 'note of order ' || i END AS note, CASE WHEN i % 2 = 0 THEN i % 10 END AS discount,
		'Zoë Müller ' || i % 500 AS name, (i % 12)::varchar(10) AS region`},
}

// BenchmarkArrow reads a table in turn with COPY in binary format and a loop that drops the
// data, as record batches, and as an Arrow stream. The result is the fraction of COPY's rate.
func BenchmarkArrow(b *testing.B) {
	address := servers.Postgres(b).Address
	conn := bareConnection(b, address)
	e, err := postgres.Open(options(address))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	for _, table := range streamed {
		rows := benchRows(b, table.rows)
		name := "streamed_" + table.name
		execute(b, conn, "CREATE TABLE "+name+" AS SELECT "+table.values+" FROM generate_series(1, "+strconv.Itoa(rows)+") AS i")
		execute(b, conn, "VACUUM (ANALYZE) "+name)
		sql := "SELECT * FROM " + name
		ways := []way{
			{"copy", func(b *testing.B) int64 { return copied(b, conn, sql) }},
			{"batches", func(b *testing.B) int64 { return inBatches(b, e, sql) }},
			{"arrow", func(b *testing.B) int64 { return asArrow(b, e, sql) }},
		}
		b.Run(table.name, func(b *testing.B) { compare(b, int64(rows), ways) })
	}
}

func benchRows(b *testing.B, usual int) int {
	text := os.Getenv("SEMLAYER_BENCH_ROWS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// way is a way to read the table; it returns the rows.
type way struct {
	name string
	run  func(b *testing.B) int64
}

// compare runs the ways in turn and reports the rate of each beside that of the first.
func compare(b *testing.B, rows int64, ways []way) {
	took := make([]time.Duration, len(ways))
	turns := 0
	for b.Loop() {
		for i, w := range ways {
			begun := time.Now()
			if n := w.run(b); n != rows {
				b.Fatalf("%s: %d rows", w.name, n)
			}
			took[i] += time.Since(begun)
		}
		turns++
	}
	for i, w := range ways {
		b.ReportMetric(float64(turns)*float64(rows)/took[i].Seconds()/1e6, w.name+"-Mrows/s")
		if i > 0 {
			b.ReportMetric(float64(took[0])/float64(took[i]), w.name+"/copy")
		}
	}
}

func bareConnection(b *testing.B, a localdb.Address) *pgconn.PgConn {
	config, err := pgconn.ParseConfig("host=" + a.Host + " port=" + strconv.Itoa(a.Port) + " user=" + a.User + " password=" + a.Password + " dbname=" + a.Database)
	if err != nil {
		b.Fatal(err)
	}
	conn, err := pgconn.ConnectConfig(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close(b.Context()) })
	return conn
}

func execute(b *testing.B, conn *pgconn.PgConn, sql string) {
	if _, err := conn.Exec(b.Context(), sql).ReadAll(); err != nil {
		b.Fatal(err)
	}
}

// counted drops what it is given.
type counted struct{ bytes int64 }

func (c *counted) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return len(p), nil
}

func copied(b *testing.B, conn *pgconn.PgConn, sql string) int64 {
	tag, err := conn.CopyTo(b.Context(), &counted{}, "COPY ("+sql+") TO STDOUT (FORMAT binary)")
	if err != nil {
		b.Fatal(err)
	}
	return tag.RowsAffected()
}

func inBatches(b *testing.B, e *postgres.Executor, sql string) (n int64) {
	rows := rowsOf(b, e, sql)
	defer rows.Close()
	for {
		batch, err := rows.Next(b.Context())
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
		n += batch.NumRows()
		batch.Release()
	}
}

func asArrow(b *testing.B, e *postgres.Executor, sql string) int64 {
	s, err := arrowstream.NewResultStreamFromRows(b.Context(), rowsOf(b, e, sql))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	n, err := s.Write(b.Context(), io.Discard, nil)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

func rowsOf(b *testing.B, e *postgres.Executor, sql string) executor.Rows {
	rows, err := e.Query(b.Context(), sql)
	if err != nil {
		b.Fatal(err)
	}
	return rows
}
