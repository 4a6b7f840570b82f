package pgwire_test

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/planner/query"
)

// A million narrow rows to a Go client, which reads the bytes and no values.
func BenchmarkStream(b *testing.B) {
	c := connect(b, startPort(b, nil).url("")).PgConn()
	rowsOf(b, c, "SELECT COUNT(*) FROM orders") // which opens the database
	for name, format := range map[string]int16{"text": 0, "binary": 1} {
		b.Run(name, func(b *testing.B) {
			const rows = 1_000_000
			for b.Loop() {
				r := c.ExecParams(context.Background(), "SELECT n, k FROM numbers LIMIT 1000000", nil, nil, nil, []int16{format})
				n := 0
				for r.NextRow() {
					n++
				}
				if _, err := r.Close(); err != nil || n != rows {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// A statement of one row over the port and the SQL that it becomes by the driver of the warehouse, in turn.
func BenchmarkSmallStatement(b *testing.B) {
	p := startPort(b, nil)
	const sql = "SELECT COUNT(*) FROM orders"
	c := connect(b, p.url("")).PgConn()
	rowsOf(b, c, sql) // which opens the database
	prepared, err := p.engine.Prepare(b.Context(), &query.SQLStatement{SQL: sql})
	if err != nil {
		b.Fatal(err)
	}
	compiled, err := prepared.SQL(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	var port, driver []time.Duration
	for b.Loop() {
		port = append(port, timeOf(b, func() error {
			_, err := run(c, sql)
			return err
		}))
		driver = append(driver, timeOf(b, func() error {
			_, err := p.engine.ExecuteWarehouseSQL(b.Context(), "", compiled.SQL)
			return err
		}))
	}
	b.ReportMetric(medianMicros(port), "port-µs")
	b.ReportMetric(medianMicros(driver), "driver-µs")
	b.ReportMetric(medianMicros(port)-medianMicros(driver), "more-µs")
}

func timeOf(b *testing.B, work func() error) time.Duration {
	begun := time.Now()
	if err := work(); err != nil {
		b.Fatal(err)
	}
	return time.Since(begun)
}

func medianMicros(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Nanoseconds()) / 1000
}

// 200 idle sessions, with their clients in the same process.
func TestServer_IdleSessionsAreSmall(t *testing.T) {
	p := startPort(t, nil)
	rowsOf(t, connect(t, p.url("")).PgConn(), "SELECT COUNT(*) FROM orders")
	before := heapAndStacks()
	const sessions = 199
	for range sessions {
		c, err := pgconn.Connect(t.Context(), p.url(""))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		rowsOf(t, c, "SELECT status FROM orders")
	}
	took := heapAndStacks() - before
	t.Attr("sessions", strconv.Itoa(sessions))
	t.Attr("bytes", strconv.FormatInt(took, 10))
	if took > 50<<20 {
		t.Errorf("%d sessions hold %d bytes", sessions, took)
	}
}

// Sessions that have read one row of three million hold a batch each, and not the rows.
func TestServer_SessionHoldsOneBatch(t *testing.T) {
	p := startPort(t, nil)
	rowsOf(t, connect(t, p.url("")).PgConn(), "SELECT COUNT(*) FROM numbers")
	before := residentBytes(t)
	const sessions = 8
	for range sessions {
		c := connect(t, p.url("")).PgConn()
		if _, err := run(c, "BEGIN; DECLARE c CURSOR FOR SELECT n, k, label FROM numbers; FETCH 1 FROM c"); err != nil {
			t.Fatal(err)
		}
	}
	grown := residentBytes(t) - before
	t.Attr("bytes", strconv.FormatInt(grown/sessions, 10))
	if grown > sessions*8<<20 {
		t.Errorf("%d sessions have grown the process by %d bytes; the rows have more than 80 MB", sessions, grown)
	}
}

// residentBytes returns the memory of the process, that of DuckDB with it.
func residentBytes(t *testing.T) int64 {
	t.Helper()
	runtime.GC()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

func heapAndStacks() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
