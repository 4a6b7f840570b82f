package benchmarks

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

// serverRows returns the size of the fact on a server; SEMLAYER_BENCH_SERVER_ROWS changes it.
func serverRows(tb testing.TB) int {
	text := os.Getenv("SEMLAYER_BENCH_SERVER_ROWS")
	if text == "" {
		return 2_000_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.Fatalf("SEMLAYER_BENCH_SERVER_ROWS: %v", err)
	}
	return n
}

// constructEngine is an engine with the tables of queryConstructModelText.
type constructEngine struct {
	dialect string
	db      executor.Executor
}

func openConstructsOnDuckDB(tb testing.TB, rows int) constructEngine {
	tb.Helper()
	setup := createQueryConstructTablesSQL(rows, "(SELECT range AS i FROM range(1, %d + 1)) AS t", "DATE '2022-01-01' + CAST(%s AS INTEGER)")
	db, err := duckdb.Open(tb.Context(), duckdb.Options{Setup: setup})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return constructEngine{"duckdb", db}
}

func openConstructsOnServer(tb testing.TB, s *servers.Server, rows int) constructEngine {
	tb.Helper()
	numbers, day, analyze := "generate_series(CAST(1 AS BIGINT), %d) AS t(i)", "DATE '2022-01-01' + CAST(%s AS INTEGER)", "ANALYZE"
	if s.Dialect != "postgres" {
		numbers, day, analyze = "(SELECT CAST(seq AS SIGNED) AS i FROM seq_1_to_%d) AS t", "DATE '2022-01-01' + INTERVAL %s DAY", "ANALYZE TABLE"
	}
	statements := createQueryConstructTablesSQL(rows, numbers, day)
	for _, table := range []string{"sales", "shops", "prices", "rates", "days"} {
		statements = append(statements, analyze+" "+table)
	}
	db, err := s.Load(tb.Context(), "constructs", strings.Join(statements, ";\n")+";\n")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return constructEngine{s.Dialect, db}
}

// handWritten returns the SQL of a construct for an engine.
func (e constructEngine) handWritten(c queryConstructVersusSQLBenchmark) string {
	if c.postgres != "" && e.dialect == "postgres" {
		return c.postgres
	}
	if c.mariadb != "" && e.dialect != "duckdb" && e.dialect != "postgres" {
		return c.mariadb
	}
	return c.hand
}

func (e constructEngine) compile(tb testing.TB, c queryConstructVersusSQLBenchmark) string {
	tb.Helper()
	model, err := engine.Open(tb.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(queryConstructModelText)})
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = model.Close() }()
	q, err := query.DecodeMetric([]byte(c.query))
	if err != nil {
		tb.Fatal(err)
	}
	q.Dialect = e.dialect
	compiled, err := prepare.SQL(tb.Context(), model, q)
	if err != nil {
		tb.Fatal(err)
	}
	return compiled.SQL
}

// BenchmarkConstructs compares the SQL of each construct with hand-written SQL, in turn. ratio is the quotient of the
// medians; lower-ratio and upper-ratio are the quartiles of the quotients of the turns.
func BenchmarkConstructs(b *testing.B) {
	b.Run("duckdb", func(b *testing.B) { benchmarkConstructs(b, openConstructsOnDuckDB(b, factRows(b))) })
	b.Run("postgres", func(b *testing.B) {
		benchmarkConstructs(b, openConstructsOnServer(b, servers.PostgreSQL(b, &shared), serverRows(b)))
	})
	b.Run("mariadb", func(b *testing.B) {
		benchmarkConstructs(b, openConstructsOnServer(b, servers.MariaDB(b, &shared), serverRows(b)))
	})
}

func benchmarkConstructs(b *testing.B, e constructEngine) {
	for _, c := range slices.Concat(queryConstructBenchmarks, windowBenchmarks) {
		b.Run(strings.ReplaceAll(c.name, " ", "_"), func(b *testing.B) {
			generated, hand := e.compile(b, c), e.handWritten(c)
			if a, z := cells(b, e.db, generated), cells(b, e.db, hand); !sameCells(a, z) {
				b.Fatalf("the two queries differ\n%s\n%v\n%v", generated, firstRows(a), firstRows(z))
			}
			var ours, theirs []time.Duration
			for b.Loop() {
				ours, theirs = append(ours, queryDuration(b, e.db, generated)), append(theirs, queryDuration(b, e.db, hand))
			}
			for len(ours) < 5 {
				ours, theirs = append(ours, queryDuration(b, e.db, generated)), append(theirs, queryDuration(b, e.db, hand))
			}
			ratios := make([]float64, len(ours))
			for i := range ours {
				ratios[i] = float64(ours[i]) / float64(theirs[i])
			}
			slices.Sort(ratios)
			b.ReportMetric(float64(median(ours))/float64(median(theirs)), "ratio")
			b.ReportMetric(ratios[len(ratios)/4], "lower-ratio")
			b.ReportMetric(ratios[len(ratios)*3/4], "upper-ratio")
			b.ReportMetric(float64(median(ours))/1e6, "generated-ms")
			b.ReportMetric(float64(median(theirs))/1e6, "hand-ms")
		})
	}
}

// TestConstructs_SameRowsAsHandwrittenSQL holds on small tables what the benchmark relies on.
func TestConstructs_SameRowsAsHandwrittenSQL(t *testing.T) {
	e := openConstructsOnDuckDB(t, 20_000)
	for _, c := range slices.Concat(queryConstructBenchmarks, windowBenchmarks) {
		t.Run(c.name, func(t *testing.T) {
			generated := e.compile(t, c)
			if a, z := cells(t, e.db, generated), cells(t, e.db, e.handWritten(c)); len(a) < 3 || !sameCells(a, z) {
				t.Errorf("the two queries differ\n%s\n%v\n%v", generated, firstRows(a), firstRows(z))
			}
		})
	}
}
