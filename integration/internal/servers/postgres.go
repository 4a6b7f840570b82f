package servers

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

// PostgreSQL returns the shared PostgreSQL server.
func PostgreSQL(tb testing.TB, shared *localdb.SharedServers) *Server {
	tb.Helper()
	dsn := shared.Postgres(tb).URI()
	return &Server{
		Dialect: "postgres",
		load: func(ctx context.Context, schema, script string) (executor.Executor, error) {
			name := pgx.Identifier{schema}.Sanitize()
			err := postgresExec(ctx, dsn, "DROP SCHEMA IF EXISTS "+name+" CASCADE", "CREATE SCHEMA "+name,
				"SET search_path = "+name+"; SET timezone = 'UTC'", script)
			if err != nil {
				return nil, err
			}
			return postgres.Open(postgres.Options{URI: executor.NewSecret(dsn), Schema: schema, PoolSize: 1})
		},
		drop: func(ctx context.Context, schema string) error {
			return postgresExec(ctx, dsn, "DROP SCHEMA "+pgx.Identifier{schema}.Sanitize()+" CASCADE")
		},
	}
}

func postgresExec(ctx context.Context, dsn string, scripts ...string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, sql := range scripts {
		if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
			return fmt.Errorf("%w\n%.300s", err, sql)
		}
	}
	return nil
}
