package properties_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

var shared localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }

// availableServers lists the servers that are installed or named by the
// environment; for each of the others a subtest is reported as skipped.
func availableServers(t *testing.T) []*servers.Server {
	t.Helper()
	var out []*servers.Server
	t.Run("postgres", func(t *testing.T) { out = append(out, servers.PostgreSQL(t, &shared)) })
	t.Run("mariadb", func(t *testing.T) { out = append(out, servers.MariaDB(t, &shared)) })
	t.Run("mysql", func(t *testing.T) { out = append(out, servers.MySQL(t, &shared)) })
	t.Run("tidb", func(t *testing.T) { out = append(out, servers.TiDB(t)) })
	t.Run("clickhouse", func(t *testing.T) { out = append(out, servers.ClickHouse(t)) })
	return append(out, servers.SQLite(t))
}

// replicas counts the copies: tests that run at the same time do not share one.
var replicas atomic.Int64

// replica is the data of a subject on a server.
type replica struct {
	server *servers.Server
	key    string
	db     executor.Executor
}

// replicate loads the data of a model into a server.
func (s *subject) replicate(ctx context.Context, m *model, on *servers.Server) error {
	return s.replicateScript(ctx, m.sql(on.Dialect), on)
}

// replicateScript loads what a script makes into a server.
func (s *subject) replicateScript(ctx context.Context, script string, on *servers.Server) error {
	r := &replica{server: on, key: fmt.Sprintf("properties/%d/%d", os.Getpid(), replicas.Add(1))}
	var err error
	if r.db, err = on.Load(ctx, r.key, script); err != nil {
		return err
	}
	s.replicas = append(s.replicas, r)
	return nil
}

// close leaves nothing on the server.
func (r *replica) close() {
	_ = r.db.Close()
	_ = r.server.Drop(context.Background(), r.key)
}

// ask compiles a query for the server and runs it there.
func (s *subject) ask(ctx context.Context, r *replica, p *prepared) (got *table.Table, sql string, err error) {
	compiled, err := p.compile(ctx, s.engine, r.server.Dialect)
	if err != nil {
		return nil, "", err
	}
	planned, err := p.plan(s.planner, r.server.Dialect)
	if err != nil {
		return nil, compiled.SQL, err
	}
	got, err = servers.QueryTable(ctx, r.db, compiled.SQL, planned.Columns)
	if err != nil {
		return nil, compiled.SQL, &serverError{err}
	}
	return got, compiled.SQL, nil
}

// serverError is the error of a server for SQL that was compiled for it.
type serverError struct{ error }

func (e *serverError) Unwrap() error { return e.error }

// compareOnServer compares what a server answers with what was answered already.
func (s *subject) compareOnServer(ctx context.Context, r *replica, p *prepared, want expectation) (problem, sql string) {
	got, sql, err := s.ask(ctx, r, p)
	var failed *serverError
	if errors.As(err, &failed) {
		if want.allows(codeOf(err)) {
			return "", sql
		}
		return fmt.Sprintf("%s fails: %v", r.server.Dialect, err), sql
	}
	if code := codeOf(err); code == "dialect_unsupported_window_function" || code == "dialect_unsupported_aggregate" {
		return "", sql // the reference computes what no such engine can
	}
	if problem = want.differs(got, err); problem != "" {
		problem = r.server.Dialect + ": " + problem
	}
	return problem, sql
}
