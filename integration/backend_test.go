package integration_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// backend is an engine that executes cases. It keeps one database per data key:
// cases of one fixture share theirs.
type backend struct {
	name    string
	family  string // how sections call it: duckdb, postgres, mysql
	dialect string
	// connection is the profile that statements are compiled for, "" for the dialect alone.
	connection string
	// start makes the engine ready or skips the test.
	start func(testing.TB)
	// load makes a separate database for a script.
	load func(ctx context.Context, key, script string) (executor.Executor, error)
	// drop removes it from a server.
	drop func(ctx context.Context, key string) error

	mu        sync.Mutex
	databases map[string]executor.Executor
}

func backends() []*backend {
	return []*backend{duckDB(), postgreSQL(), mariaDB(), mySQL()}
}

func duckDB() *backend {
	return &backend{
		name: "duckdb", family: "duckdb", dialect: "duckdb",
		start: func(testing.TB) {},
		load: func(ctx context.Context, _, script string) (executor.Executor, error) {
			return duckdb.Open(ctx, duckdb.Options{Setup: []string{script}, Connections: 1})
		},
	}
}

// database returns the database of a case, made at the first use.
func (b *backend) database(ctx context.Context, c *corpus.Case) (executor.Executor, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := dataKey(c)
	if db := b.databases[key]; db != nil {
		return db, nil
	}
	script, err := dataFor(c, b.family)
	if err != nil {
		return nil, err
	}
	db, err := b.load(ctx, key, script)
	if err != nil {
		return nil, fmt.Errorf("the data of %s: %w", key, err)
	}
	if b.databases == nil {
		b.databases = map[string]executor.Executor{}
	}
	b.databases[key] = db
	return db, nil
}

// stop closes the databases and leaves nothing on the server.
func (b *backend) stop(tb testing.TB) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key, db := range b.databases {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
		if b.drop == nil {
			continue
		}
		if err := b.drop(context.Background(), key); err != nil {
			tb.Error(err)
		}
	}
}

// ask runs a statement of the case itself.
func (b *backend) ask(ctx context.Context, c *corpus.Case, sql string) (*table.Table, error) {
	db, err := b.database(ctx, c)
	if err != nil {
		return nil, err
	}
	return servers.QueryTable(ctx, db, sql, nil)
}

// run answers the case's query. DuckDB goes through the engine, as a user
// would; the servers take the engine's SQL.
func (b *backend) run(ctx context.Context, s *subject, c *corpus.Case) (*table.Table, string, error) {
	q, err := decode(c, []byte(c.QueryJSON()), b.dialect, false)
	if err != nil {
		return nil, "", err
	}
	q.useConnection(b.connection)
	compiled, err := q.compile(ctx, s)
	if err != nil {
		return nil, "", err
	}
	if b.family == "duckdb" {
		got, err := execute(ctx, s, q)
		return got, compiled.SQL, err
	}
	db, err := b.database(ctx, c)
	if err != nil {
		return nil, compiled.SQL, err
	}
	planned, err := q.plan(s)
	if err != nil {
		return nil, compiled.SQL, err
	}
	got, err := servers.QueryTable(ctx, db, compiled.SQL, planned.Columns)
	return got, compiled.SQL, err
}

func execute(ctx context.Context, s *subject, q caseQuery) (*table.Table, error) {
	result, err := q.execute(ctx, s)
	if err != nil {
		return nil, err
	}
	return table.FromJSON(result.Columns, result.Rows)
}
