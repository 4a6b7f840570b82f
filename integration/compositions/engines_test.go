package compositions

import (
	"os"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/integration/internal/containers"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/plan"
)

var shared = containers.SharedServers()

func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }

// topics returns the compositions by what they show.
func topics() map[string][]composition {
	return map[string][]composition{
		"projections": projections(), "groupings": groupings(), "joins": joins(), "sets": sets(), "subqueries": subqueries(), "windows": windows(),
	}
}

func TestCompositions_HaveTheRowsOfTheirSelectOverTables(t *testing.T) {
	p := newPlanner(t)
	host := openHost(t, p)
	for dialect, open := range engines() {
		t.Run(dialect, func(t *testing.T) {
			db := open(t)
			for topic, list := range topics() {
				for _, c := range list {
					t.Run(topic+"/"+c.name, func(t *testing.T) { compare(t, c, host, db, newShop(t, p, dialect)) })
				}
			}
		})
	}
}

// engines open databases with the data of the model, by dialect.
func engines() map[string]func(testing.TB) executor.Executor {
	return map[string]func(testing.TB) executor.Executor{
		"duckdb":     func(tb testing.TB) executor.Executor { return openDuckDB(tb, []string{data}) },
		"postgres":   func(tb testing.TB) executor.Executor { return load(tb, servers.PostgreSQL(tb, shared)) },
		"mariadb":    func(tb testing.TB) executor.Executor { return load(tb, servers.MariaDB(tb, shared)) },
		"sqlite":     func(tb testing.TB) executor.Executor { return load(tb, servers.SQLite(tb)) },
		"clickhouse": func(tb testing.TB) executor.Executor { return load(tb, servers.ClickHouse(tb)) },
	}
}

func load(tb testing.TB, s *servers.Server) executor.Executor {
	tb.Helper()
	db, err := s.Load(tb.Context(), "compositions", data)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

// compare runs a composition and its SELECT by hand.
func compare(t *testing.T, c composition, host, db executor.Executor, s *shop) {
	t.Helper()
	want, err := servers.QueryTable(t.Context(), host, c.sql, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := c.build(func(name string) relation { return s.from(t, name) })
	planned := rows.rows.Plan()
	if err := plan.CheckTree(planned.Root); err != nil {
		t.Fatalf("%v\n%s", err, plan.Explain(planned.Root))
	}
	sql := s.emit(t, planned)
	got, err := servers.QueryTable(t.Context(), db, sql, planned.Columns)
	if err != nil {
		t.Fatal(err)
	}
	if diff := table.Diff(want, got, c.ordered); diff != "" {
		t.Fatalf("- is the answer, + is what came\n%s\n%s\n%s", diff, c.sql, sql)
	}
}
