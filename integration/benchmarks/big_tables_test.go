package benchmarks

import (
	"context"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/sqlemit"
)

// factRows returns the size of the big fact; SEMLAYER_BENCH_ROWS changes it.
func factRows(tb testing.TB) int {
	text := os.Getenv("SEMLAYER_BENCH_ROWS")
	if text == "" {
		return 10_000_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.Fatalf("SEMLAYER_BENCH_ROWS: %v", err)
	}
	return n
}

// BenchmarkShapes compares generated SQL with hand-written SQL on one database.
// The figure is ratio, the median time of the generated query over that of the
// hand-written one; the two alternate, so that other work of the machine
// affects both.
func BenchmarkShapes(b *testing.B) {
	db := open(b, factRows(b))
	p, d := planner.New(load(b, bigTablesModelText())), dialect(b)
	for _, s := range bigTableBenchmarks {
		b.Run(strings.ReplaceAll(s.name, " ", "_"), func(b *testing.B) {
			generated := compileSQL(b, p, d, []byte(s.query))
			if a, z := cells(b, db, generated), cells(b, db, s.hand); !sameCells(a, z) {
				b.Fatalf("the two queries differ\n%s\n%v\n%v", generated, firstRows(a), firstRows(z))
			}
			var ours, theirs []time.Duration
			for b.Loop() {
				ours = append(ours, queryDuration(b, db, generated))
				theirs = append(theirs, queryDuration(b, db, s.hand))
			}
			for len(ours) < 5 {
				ours = append(ours, queryDuration(b, db, generated))
				theirs = append(theirs, queryDuration(b, db, s.hand))
			}
			b.ReportMetric(float64(median(ours))/float64(median(theirs)), "ratio")
			b.ReportMetric(float64(median(ours))/1e6, "generated-ms")
			b.ReportMetric(float64(median(theirs))/1e6, "hand-ms")
		})
	}
}

// TestShapes_SameRowsAsHandwrittenSQL holds on a small database what the benchmark relies on.
func TestShapes_SameRowsAsHandwrittenSQL(t *testing.T) {
	db := open(t, 20_000)
	p, d := planner.New(load(t, bigTablesModelText())), dialect(t)
	for _, s := range bigTableBenchmarks {
		t.Run(s.name, func(t *testing.T) {
			generated := compileSQL(t, p, d, []byte(s.query))
			if a, z := cells(t, db, generated), cells(t, db, s.hand); !sameCells(a, z) {
				t.Errorf("the two queries differ\n%s\n%v\n%v", generated, firstRows(a), firstRows(z))
			}
		})
	}
}

func dialect(tb testing.TB) *sqlemit.Dialect {
	tb.Helper()
	d, ok := sqlemit.LookupDialect("duckdb")
	if !ok {
		tb.Fatal("no duckdb dialect")
	}
	return d
}

func open(tb testing.TB, rows int) executor.Executor {
	tb.Helper()
	db, err := duckdb.Open(context.Background(), duckdb.Options{Setup: createBigTablesSQL(rows)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

func queryDuration(tb testing.TB, db executor.Executor, sql string) time.Duration {
	start := time.Now()
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := jsonrows.CollectResult(context.Background(), rows, nil); err != nil {
		tb.Fatal(err)
	}
	return time.Since(start)
}

func median(d []time.Duration) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2]
}

// cells are the rows of a query as text, sorted: the group-bys come first and are
// different in every row, so equal rows end up beside each other.
func cells(tb testing.TB, db executor.Executor, sql string) []string {
	tb.Helper()
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		tb.Fatalf("%v\n%s", err, sql)
	}
	defer func() { _ = rows.Close() }()
	var out []string
	for {
		batch, err := rows.Next(context.Background())
		if err != nil {
			break
		}
		for r := range int(batch.NumRows()) {
			parts := make([]string, batch.NumCols())
			for c := range parts {
				parts[c] = strings.TrimSuffix(batch.Column(c).ValueStr(r), "T00:00:00")
			}
			out = append(out, strings.Join(parts, "|"))
		}
		batch.Release()
	}
	slices.Sort(out)
	return out
}

// sameCells reports whether two results are equal, numbers within 1e-9 relative:
// threads add up floats in any order.
func sameCells(a, b []string) bool {
	return len(a) > 0 && slices.EqualFunc(a, b, func(x, y string) bool {
		return slices.EqualFunc(strings.Split(x, "|"), strings.Split(y, "|"), sameCell)
	})
}

func sameCell(x, y string) bool {
	if x == y {
		return true
	}
	f, errF := strconv.ParseFloat(x, 64)
	g, errG := strconv.ParseFloat(y, 64)
	return errF == nil && errG == nil && math.Abs(f-g) <= 1e-9*max(math.Abs(f), math.Abs(g))
}

func firstRows(rows []string) []string { return rows[:min(len(rows), 5)] }
