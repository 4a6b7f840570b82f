package postgres_test

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

// readyPool returns a pool such as a program has, with pgx's defaults.
func readyPool(t testing.TB, at localdb.Address, change ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	c, err := pgxpool.ParseConfig("postgres://" + at.User + ":" + at.Password + "@" + at.HostPort() + "/" + at.Database + "?" + at.Params)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(c)
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// connections bounds the pool; 0 leaves the default.
func connections(n int) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) { c.MaxConns = cmp.Or(int32(n), c.MaxConns) }
}

func fromPool(t testing.TB, pool *pgxpool.Pool, o postgres.FromPoolOptions) *postgres.Executor {
	t.Helper()
	e, err := postgres.FromPool(pool, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// executorOfPool is an executor whose Close ends the pool too, as a program does that has no other use for it.
type executorOfPool struct {
	*postgres.Executor
	pool *pgxpool.Pool
}

func (e executorOfPool) Close() error {
	err := e.Executor.Close()
	e.pool.Close()
	return err
}

func TestFromPool_Conformance(t *testing.T) {
	server := servers.Postgres(t)
	executortest.RunConformance(t, executortest.ConformanceBackend{
		Dialect: "postgres",
		Open: func(t testing.TB, n int) executor.Executor {
			pool := readyPool(t, server.Address, connections(n))
			return executorOfPool{fromPool(t, pool, postgres.FromPoolOptions{}), pool}
		},
		Series:  func(n int) string { return "SELECT generate_series(0, " + strconv.Itoa(n-1) + ") AS i" },
		Slow:    "SELECT sum(a::bigint * b % 7) AS s FROM generate_series(1, 200000) a, generate_series(1, 200000) b",
		Failing: "SELECT 1000000 / (i - 3000000) AS i FROM (SELECT generate_series(0, 10000000) AS i) AS t",
		Values:  append(scalarValues(), arrayValues()...),
	})
}

// servedFromPool returns the server of served, by pools that a program made.
func servedFromPool() executortest.ServerBackend {
	b := served()
	b.Open = func(t testing.TB, a localdb.Address, n int) executor.Executor {
		return fromPool(t, readyPool(t, a, connections(n)), postgres.FromPoolOptions{})
	}
	b.OpenTLS = func(t testing.TB, a localdb.Address) executor.Executor {
		a.Params = "sslmode=require"
		return fromPool(t, readyPool(t, a), postgres.FromPoolOptions{})
	}
	return b
}

func TestFromPool_AServerIsHandledAsOneShould(t *testing.T) {
	executortest.TestServerDriver(t, servedFromPool())
}

func TestFromPool_NoFaultOfTheNetworkIsTakenForAnAnswer(t *testing.T) {
	executortest.TestServerFaults(t, servedFromPool())
}

func TestFromPool_TakesNoSettingFromTheRoleThatChangesRows(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE ROLE pooled LOGIN PASSWORD 'pw'", "ALTER ROLE pooled SET default_transaction_read_only = on")
	defer admin(t, s, "DROP ROLE pooled")
	at := s.Address
	at.User, at.Password = "pooled", "pw"
	executortest.TestIgnoresServerSettings(t, executortest.ServerSettingChangeBackend{
		Open: func(t testing.TB) executor.Executor {
			return fromPool(t, readyPool(t, at), postgres.FromPoolOptions{})
		},
		Turn: func(_ testing.TB, c executortest.ServerSettingCase) {
			admin(t, s, "ALTER ROLE pooled SET "+c.Name+" = '"+c.Wrong+"'")
		},
		Back:     func(_ testing.TB, c executortest.ServerSettingCase) { admin(t, s, "ALTER ROLE pooled RESET "+c.Name) },
		Bare:     func(t testing.TB, sql string) string { return bare(t, at, sql) },
		Settings: turnable(),
	})
}

// What the program sets in its sessions changes no statement of ours, and ours change no session
// of the program, however they end.
func TestFromPool_LeavesSessionsAsTheyAre(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE SCHEMA pooled", "CREATE TABLE pooled.here AS SELECT 1 AS n", "GRANT USAGE ON SCHEMA pooled TO PUBLIC", "GRANT SELECT ON pooled.here TO PUBLIC")
	defer admin(t, s, "DROP SCHEMA pooled CASCADE")
	pool := readyPool(t, s.Address, connections(1), func(c *pgxpool.Config) {
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "SET TimeZone = 'Asia/Tokyo'; SET client_encoding = 'LATIN1'; SET standard_conforming_strings = off; "+
				"SET statement_timeout = '20s'; SET default_transaction_isolation = serializable; CREATE TEMPORARY TABLE own(n int)", pgx.QueryExecModeSimpleProtocol)
			return err
		}
	})
	const look = `SELECT concat_ws(' ', pg_backend_pid(), current_setting('TimeZone'), current_setting('client_encoding'), current_setting('standard_conforming_strings'),
		current_setting('statement_timeout'), current_setting('transaction_isolation'), current_setting('transaction_read_only'), current_setting('search_path'))`
	session := func() (out string) {
		if err := pool.QueryRow(t.Context(), look).Scan(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := session()
	e := fromPool(t, pool, postgres.FromPoolOptions{Schema: "pooled"})
	within, cancel := context.WithTimeout(executor.WithDeadlineForRows(t.Context()), 8*time.Second)
	defer cancel()
	soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	for _, c := range []struct {
		name, sql, want string
		ctx             context.Context
		code            string
	}{
		{"the settings are ours", `SELECT current_setting('TimeZone') AS z, 'Zoë \' AS t, current_setting('statement_timeout') AS l, n FROM here`,
			`[{"z":"UTC","t":"Zoë \\","l":"20s","n":1}]`, t.Context(), ""},
		{"a budget lowers the limit", `SELECT current_setting('statement_timeout') AS l`, `[{"l":"15s"}]`, within, ""},
		{"isolation", `SELECT current_setting('transaction_isolation') AS i`, `[{"i":"read committed"}]`, t.Context(), ""},
		{"a refusal", `SELECT nothing FROM here`, "", t.Context(), executor.CodeSQLRejected},
		{"a write", `CREATE TABLE pooled.there(n int)`, "", t.Context(), executor.CodeSQLRejected},
		{"a setting", `SELECT set_config('TimeZone', 'America/Lima', false) AS z`, `[{"z":"America/Lima"}]`, t.Context(), ""},
		{"the end of the transaction", `COMMIT`, "", t.Context(), ""},
		{"a deadline", `SELECT pg_sleep(30)`, "", soon, executor.CodeTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := executortest.QueryRowsJSON(c.ctx, e, c.sql)
			if c.code != "" {
				executortest.ExpectError(t, err, c.code)
			} else if err != nil || c.want != "" && got != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
			if after := session(); after != before {
				t.Errorf("the session of the program was %s and is %s", before, after)
			}
		})
	}
}

func TestFromPool_LeavesThePoolOpen(t *testing.T) {
	s := servers.Postgres(t)
	pool := readyPool(t, s.Address)
	e := fromPool(t, pool, postgres.FromPoolOptions{})
	rows, err := e.Query(t.Context(), "SELECT generate_series(1, 1000000) AS i")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1"); err == nil {
		t.Error("a closed executor answers")
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if err := pool.Ping(t.Context()); err != nil {
		t.Errorf("the pool after Close of the executor: %v", err)
	}
	if n := pool.Stat().AcquiredConns(); n != 0 {
		t.Errorf("%d connections are still acquired", n)
	}
}

func TestFromPool_APoolThatIsClosedIsClosed(t *testing.T) {
	s := servers.Postgres(t)
	pool := readyPool(t, s.Address)
	e := fromPool(t, pool, postgres.FromPoolOptions{})
	pool.Close()
	_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1")
	wantError(t, err, executor.CodeDriver, s)
}

func TestFromPool_RefusesWhatCannotBeRight(t *testing.T) {
	s := servers.Postgres(t)
	for name, o := range map[string]postgres.FromPoolOptions{"no pool": {}, "a NUL byte": {Schema: "a\x00b"}} {
		var pool *pgxpool.Pool
		if o.Schema != "" {
			pool = readyPool(t, s.Address)
		}
		if _, err := postgres.FromPool(pool, o); executor.CodeConfig != codeOf(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A hook of the pool opens a transaction that may write.
	inside := readyPool(t, s.Address, connections(1), func(c *pgxpool.Config) {
		c.PrepareConn = func(ctx context.Context, conn *pgx.Conn) (bool, error) {
			_, err := conn.Exec(ctx, "BEGIN")
			return true, err
		}
	})
	for range 2 {
		_, err := executortest.QueryRowsJSON(t.Context(), fromPool(t, inside, postgres.FromPoolOptions{}), "SELECT 1")
		wantError(t, err, executor.CodeConfig, s)
	}
	if n := inside.Stat().AcquiredConns(); n != 0 {
		t.Errorf("%d connections are still acquired", n)
	}
}

func codeOf(err error) string {
	var e *executor.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
