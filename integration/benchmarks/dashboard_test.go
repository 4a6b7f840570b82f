package benchmarks

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

// dashboardMemoryMiB bounds what each engine keeps in memory of a database of any size.
const dashboardMemoryMiB = 3072

// openDashboards makes a database file with n sales, builds the rollups, and opens the model over it without a result cache and with one.
func openDashboards(tb testing.TB, n int) (plain, cached *engine.Engine) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "dashboard.duckdb")
	if err := duckdb.CreateDatabase(context.Background(), path, createDashboardSQL(n)); err != nil {
		tb.Fatal(err)
	}
	open := func(cacheMiB int) *engine.Engine {
		e, err := engine.Open(context.Background(), engine.Config{
			Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(dashboardModelText()), DBPath: path, DBMemoryMiB: dashboardMemoryMiB,
			CacheMiB: cacheMiB, CacheTTL: time.Hour,
		})
		if err != nil {
			tb.Fatal(err)
		}
		return e
	}
	builder := open(0)
	if _, err := builder.RefreshRollups(context.Background(), engine.RollupRefresh{}); err != nil {
		tb.Fatal(err)
	}
	if err := builder.Close(); err != nil {
		tb.Fatal(err)
	}
	plain, cached = open(0), open(64)
	tb.Cleanup(func() { _, _ = plain.Close(), cached.Close() })
	return plain, cached
}

// askDashboard asks the ten queries, one after another, and returns their rows and how long that took.
func askDashboard(tb testing.TB, e *engine.Engine, rollups query.Rollups) (rows []string, took time.Duration) {
	tb.Helper()
	begin := time.Now()
	for _, body := range dashboardQueries {
		rows = append(rows, askTile(tb, e, body, rollups))
	}
	return rows, time.Since(begin)
}

func askTile(tb testing.TB, e *engine.Engine, body string, rollups query.Rollups) string {
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		tb.Error(err)
		return ""
	}
	q.Rollups = &rollups
	s, err := e.Prepare(context.Background(), q)
	if err != nil {
		tb.Error(err)
		return ""
	}
	r, err := s.Execute(context.Background())
	if err != nil {
		tb.Errorf("%s: %v", body, err)
		return ""
	}
	return string(r.Rows)
}

// wantSameTiles reports the queries whose rows are not those of the base tables.
func wantSameTiles(tb testing.TB, what string, got, base []string) {
	tb.Helper()
	for i := range base {
		if got[i] != base[i] || got[i] == "[]" {
			tb.Fatalf("%s: %s\n%.200s\nthe base tables give\n%.200s", what, dashboardQueries[i], got[i], base[i])
		}
	}
}

// TestDashboard_HasTheRowsOfTheBaseTables holds on a small database what the benchmark relies on.
func TestDashboard_HasTheRowsOfTheBaseTables(t *testing.T) {
	_, e := openDashboards(t, 20_000)
	base, _ := askDashboard(t, e, query.RollupsOff)
	rolled, _ := askDashboard(t, e, query.RollupsOnly)
	wantSameTiles(t, "with rollups", rolled, base)
	kept, _ := askDashboard(t, e, query.RollupsOnly)
	wantSameTiles(t, "kept", kept, base)
	if stats, _ := e.ResultCacheStats(); stats.Requests["hit"] != int64(len(dashboardQueries)) {
		t.Errorf("%+v", stats)
	}
}

// equalRequests is how many clients ask one new query at once.
const equalRequests = 64

// BenchmarkDashboard measures ten queries, one after another, over the base tables, with rollups and from the result cache, and equal requests at once:
// each turn asks all of them in turn.
func BenchmarkDashboard(b *testing.B) {
	n := factRows(b)
	plain, cached := openDashboards(b, n)
	want, _ := askDashboard(b, plain, query.RollupsOff)
	got, _ := askDashboard(b, cached, query.RollupsOnly)
	wantSameTiles(b, "with rollups", got, want)
	var base, rolled, kept, one, many []time.Duration
	for b.Loop() {
		one = append(one, askAtOnce(b, cached, 1, 1000+2*len(one)))
		many = append(many, askAtOnce(b, cached, equalRequests, 1001+2*len(many)))
		_, took := askDashboard(b, plain, query.RollupsOff)
		base = append(base, took)
		for range 5 {
			_, took = askDashboard(b, plain, query.RollupsOnly)
			rolled = append(rolled, took)
			_, took = askDashboard(b, cached, query.RollupsOnly)
			kept = append(kept, took)
		}
	}
	b.ReportMetric(float64(n), "rows")
	b.ReportMetric(float64(median(base))/1e6, "base-ms")
	b.ReportMetric(float64(median(rolled))/1e6, "rollups-ms")
	b.ReportMetric(float64(median(kept))/1e6, "cached-ms")
	b.ReportMetric(float64(median(base))/float64(median(rolled)), "base/rollups")
	b.ReportMetric(float64(median(rolled))/float64(median(kept)), "rollups/cached")
	b.ReportMetric(float64(median(many))/float64(median(one)), "equal/one")
}

// askAtOnce asks one query, which was not asked before, for many clients at once, over the base tables.
func askAtOnce(tb testing.TB, e *engine.Engine, clients, limit int) time.Duration {
	tb.Helper()
	body := fmt.Sprintf(`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}],"limit":%d}`, limit)
	begin := time.Now()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() { askTile(tb, e, body, query.RollupsOff) })
	}
	all.Wait()
	return time.Since(begin)
}
