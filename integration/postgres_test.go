package integration_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/postgres"
)

const postgresDSN = "SEMLAYER_POSTGRES_DSN"

// postgreSQL is the server of the environment or one that is started for the
// run. Each data key has a schema of its own.
func postgreSQL() *backend {
	b := &backend{name: "postgres", family: "postgres", dialect: "postgres"}
	dsn := os.Getenv(postgresDSN)
	b.start = func(tb testing.TB) {
		if dsn != "" {
			return
		}
		s := servers.Postgres(tb)
		u := url.URL{Scheme: "postgres", User: url.UserPassword(s.User, s.Password), Host: s.Host + ":" + strconv.Itoa(s.Port), Path: "/" + s.Database, RawQuery: "sslmode=disable"}
		dsn = u.String()
	}
	b.load = func(ctx context.Context, key, script string) (executor.Executor, error) {
		schema := namespace(key)
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return nil, err
		}
		defer conn.Close(ctx)
		name := pgx.Identifier{schema}.Sanitize()
		for _, sql := range []string{
			"DROP SCHEMA IF EXISTS " + name + " CASCADE",
			"CREATE SCHEMA " + name,
			"SET search_path = " + name + "; SET timezone = 'UTC'",
			script,
		} {
			if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
				return nil, fmt.Errorf("%w\n%s", err, sql)
			}
		}
		return postgres.Open(postgres.Options{URI: executor.NewSecret(dsn), Schema: schema, PoolSize: 1})
	}
	b.drop = func(ctx context.Context, key string) error {
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, "DROP SCHEMA "+pgx.Identifier{namespace(key)}.Sanitize()+" CASCADE")
		return err
	}
	return b
}
