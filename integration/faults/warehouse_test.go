package faults_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	execwarehouse "github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// warehouse is a kind of server and how to say three things in its SQL.
type warehouse struct {
	kind  string
	start func(context.Context) (*localdb.Server, error)
	many  string // 50,000 wide rows of a column i, from 0
	slow  string // a minute of computing before the first row, column v
}

func warehouses() []warehouse {
	return []warehouse{
		{"postgres", localdb.StartPostgres,
			"SELECT i, repeat('x', 200) AS wide FROM generate_series(0, 49999) AS t(i)",
			"SELECT a.i::bigint * b.i % 7 AS v FROM generate_series(1, 200000) AS a(i), generate_series(1, 200000) AS b(i)"},
		{"mariadb", localdb.StartMariaDB,
			"SELECT seq AS i, REPEAT('x', 200) AS wide FROM seq_0_to_49999",
			"SELECT a.seq * b.seq % 7 AS v FROM seq_1_to_200000 AS a, seq_1_to_200000 AS b"},
	}
}

const manyRows = 50_000

const model = `
version: 0.2.0.dev0
name: m
datasets:
  - name: few
    source: SELECT 1 AS n UNION ALL SELECT 2
    fields:
      - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: many
    source: %s
    fields:
      - {name: i, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
      - {name: wide, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: wide}]}}
  - name: slow
    source: %s
    fields:
      - {name: v, expression: {dialects: [{dialect: ANSI_SQL, expression: v}]}}
metrics:
  - {name: few_rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(few.n)}]}}
  - {name: many_rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(many.i)}]}}
  - {name: slow_sum, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(slow.v)}]}}
`

const (
	fewQuery  = `{"connection":"w","metrics":["few_rows"]}`
	manyQuery = `{"connection":"w","metrics":["many_rows"],"group_by":[{"field":"many.i"},{"field":"many.wide"}],"order_by":[{"key":"i"}]}`
	slowQuery = `{"connection":"w","metrics":["slow_sum"]}`
)

// The budgets of the two servers over one engine. A query that waits for a cut must not
// run out of time before it, and one that must run out of time should do so soon.
const (
	patient = 30 * time.Second
	hasty   = 700 * time.Millisecond
)

// service is a whole service whose warehouse is behind a proxy.
type service struct {
	server         *localdb.Server
	proxy          *executortest.FaultProxy
	engine         *engine.Engine
	patient, hasty string // where the servers answer
}

func start(t *testing.T, w warehouse) *service {
	t.Helper()
	server, err := w.start(t.Context())
	if errors.Is(err, localdb.ErrNoServer) && os.Getenv(localdb.RequireServersEnv) == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	s := &service{server: server, proxy: executortest.NewFaultProxy(t, server.HostPort())}
	profiles := filepath.Join(t.TempDir(), "connections.yaml")
	text := fmt.Sprintf("datasources:\n  w: {type: %s, host: 127.0.0.1, port: %d, username: '%s', password: '%s', database: '%s'}\n",
		w.kind, s.proxy.Port, server.User, server.Password, server.Database)
	if err := os.WriteFile(profiles, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	s.engine, err = engine.Open(t.Context(), engine.Config{
		Drivers:   []execwarehouse.Driver{duckdb.Driver()},
		ModelText: []byte(fmt.Sprintf(model, w.many, w.slow)), ConnectionsPath: profiles, PoolSize: 2, Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.engine.Close() })
	s.patient = serving.Serve(t, s.engine, restapi.Config{ExecuteTimeout: patient, Logger: quiet})
	s.hasty = serving.Serve(t, s.engine, restapi.Config{ExecuteTimeout: hasty, StallTimeout: hasty, Logger: quiet})
	return s
}
