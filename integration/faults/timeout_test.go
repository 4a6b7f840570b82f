package faults_test

import (
	"context"
	"log/slog"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
	"github.com/semlayer/semlayer/executor/postgres"
	"github.com/semlayer/semlayer/executor/testwait"
	execwarehouse "github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// observer looks at a server from outside of the service.
type observer struct {
	db      executor.Executor
	running string // a statement for the number of slow statements that run, column n
}

func observe(t *testing.T, kind string, s *localdb.Server) observer {
	t.Helper()
	var o observer
	var err error
	if kind == "postgres" {
		o.db, err = postgres.Open(postgres.Options{Host: s.Host, Port: s.Port, User: s.User, Password: executor.NewSecret(s.Password), Database: s.Database})
		o.running = "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series(1, 200000)%' AND pid <> pg_backend_pid()"
	} else {
		o.db, err = mysql.Open(mysql.Options{Host: s.Host, Port: s.Port, User: s.User, Password: executor.NewSecret(s.Password), Database: s.Database})
		o.running = "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE '%seq_1_to_200000%' AND id <> CONNECTION_ID()"
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.db.Close() })
	return o
}

func (o observer) count(t *testing.T) string {
	t.Helper()
	rows, err := o.db.Query(t.Context(), o.running)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(t.Context(), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Rows)
}

// sees reports whether a statement runs before a request has ended.
func (o observer) sees(t *testing.T, ended <-chan struct{}) bool {
	t.Helper()
	for {
		if o.count(t) == `[{"n":1}]` {
			return true
		}
		select {
		case <-ended:
			return false
		default:
		}
	}
}

func TestTimeout_EndsWorkOfServer(t *testing.T) {
	for _, w := range warehouses() {
		t.Run(w.kind, func(t *testing.T) {
			t.Parallel()
			s := start(t, w)
			o := observe(t, w.kind, s.server)
			for format, accept := range map[string]string{"json": asJSON, "arrow": asArrow} {
				t.Run(format, func(t *testing.T) {
					testwait.Until(t, "a request ends by its timeout, after its statement was seen to run", func() bool {
						ended, seen := make(chan struct{}), make(chan bool, 1)
						go func() { seen <- o.sees(t, ended) }()
						got := ask(t, s.hasty, slowQuery, accept, nil)
						close(ended)
						got.expectError(t, 504, "timeout")
						got.expectWithin(t, hasty)
						t.Attr("late-ms", strconv.FormatInt((got.took-hasty).Milliseconds(), 10))
						return <-seen || t.Failed()
					})
					r := run{service: s}
					r.checkSettled(t)
					// A server that is too busy to answer the cancel request at once is not
					// waited for: its connection is abandoned, and it ends soon after.
					testwait.Until(t, "the statement has ended", func() bool { return o.count(t) == `[{"n":0}]` })
				})
			}
		})
	}
}

const endless = `
version: 0.2.0.dev0
name: m
datasets:
  - name: b
    source: SELECT hash(i) AS h FROM range(1000000000000) AS t(i)
    fields:
      - {name: h, expression: {dialects: [{dialect: ANSI_SQL, expression: h}]}}
metrics:
  - {name: endless, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT b.h % 10)}]}}
`

func TestTimeout_InterruptsDuckDB(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []execwarehouse.Driver{duckdb.Driver()}, ModelText: []byte(endless), MaxExecutions: 1, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if err := e.OpenEmbedded(context.Background()); err != nil {
		t.Fatal(err)
	}
	base := serving.Serve(t, e, restapi.Config{ExecuteTimeout: hasty, Logger: quiet})
	for range 2 { // the second time, the only slot is free again
		for _, accept := range []string{asJSON, asArrow} {
			got := ask(t, base, `{"metrics":["endless"]}`, accept, nil)
			got.expectError(t, 504, "timeout")
			got.expectWithin(t, hasty)
			t.Attr("late-ms", strconv.FormatInt((got.took-hasty).Milliseconds(), 10))
			testwait.Until(t, "the statement of DuckDB has ended", func() bool { return e.RunningExecutions() == 0 })
		}
	}
}
