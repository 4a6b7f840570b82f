package integration_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/postgres"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// The number of rows of endless is a subquery, so that PostgreSQL expects a thousand: for more it compiles the
// statement first, and on a busy machine the compiler takes longer than connectionCutDelay and is not cancelled.
const ownPoolModel = `
version: 0.2.0.dev0
name: pooled
datasets:
  - name: orders
    source: SELECT * FROM (VALUES (1, TIMESTAMPTZ '2024-01-31 23:30:00+00', 40), (2, TIMESTAMPTZ '2024-02-01 12:00:00+00', 2)) AS t(id, at, amount)
    fields:
      - {name: at, datatype: DateTimeTz, expression: {dialects: [{dialect: ANSI_SQL, expression: at}]}, dimension: {is_time: true}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: endless
    source: SELECT generate_series(1, (SELECT 4000000000000)) AS n
    fields:
      - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: forever, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(endless.n % 10)}]}}
`

// A program asks over the pool that it has already: months are those of UTC for any time zone that its sessions
// have, a deadline ends the statement and not the connection, and the pool outlives the engine.
func TestOwnPool_QueriesRunAndThePoolStaysItsOwners(t *testing.T) {
	server := shared.Postgres(t)
	config, err := pgxpool.ParseConfig(server.URI())
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = 1
	config.ConnConfig.RuntimeParams["timezone"] = "Asia/Tokyo"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	db, err := postgres.FromPool(pool, postgres.FromPoolOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(ownPoolModel), Logger: slog.New(slog.DiscardHandler), Connections: []engine.ProgramConnection{{Name: "own", Executor: db}},
	})
	if err != nil {
		t.Fatal(err)
	}
	session := func() (out string) {
		const look = "SELECT concat_ws(' ', pg_backend_pid(), current_setting('TimeZone'), current_setting('transaction_read_only'))"
		if err := pool.QueryRow(t.Context(), look).Scan(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := session()
	if !strings.HasSuffix(before, " Asia/Tokyo off") {
		t.Fatalf("the session of the program is %s", before)
	}
	byMonth := &query.MetricQuery{
		Metrics: []string{"revenue"}, GroupBy: []query.GroupBy{{Field: "orders.at", Grain: "month"}},
		OrderBy: []query.OrderBy{{Key: "at__month"}}, Connection: "own",
	}
	for range 2 {
		got, err := prepare.Rows(t.Context(), e, byMonth)
		if err != nil {
			t.Fatal(err)
		}
		const want = `[{"at__month":"2024-01-01","revenue":40},{"at__month":"2024-02-01","revenue":2}]`
		if string(got.Rows) != want {
			t.Errorf("got %s, want %s", got.Rows, want)
		}
	}
	// A server that does not end the statement within connectionCutDelay loses the connection, as on a busy machine.
	testwait.Until(t, "a deadline that ends the statement and not the connection", func() bool {
		before = session()
		soon, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := prepare.Rows(soon, e, &query.MetricQuery{Metrics: []string{"forever"}, Connection: "own"}); err == nil || !strings.HasPrefix(err.Error(), "timeout") {
			t.Errorf("a deadline: %v", err)
		}
		return session() == before
	})
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if after := session(); after != before {
		t.Errorf("the session of the program was %s and is %s", before, after)
	}
}
