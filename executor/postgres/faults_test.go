package postgres_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

func open(t *testing.T, o postgres.Options) *postgres.Executor {
	t.Helper()
	e, err := postgres.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func collect(ctx context.Context, e executor.Executor, sql string) (string, error) {
	rows, err := e.Query(ctx, sql)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	result, err := jsonrows.Collect(ctx, rows, nil)
	return string(result.Rows), err
}

// admin runs statements outside of the executor's read-only sessions.
func admin(t *testing.T, s *localdb.Server, statements ...string) {
	t.Helper()
	e := open(t, options(s))
	for _, sql := range statements {
		if _, err := collect(t.Context(), e, "SELECT set_config('default_transaction_read_only', 'off', false)"); err != nil {
			t.Fatal(err)
		}
		if _, err := collect(t.Context(), e, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

func wantError(t *testing.T, err error, code string, s *localdb.Server) *executor.Error {
	t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want code %s", err, code)
	}
	shown := e.Message + e.Hint
	for _, secret := range []string{s.Password, s.Host, strconv.Itoa(s.Port)} {
		if strings.Contains(shown, secret) {
			t.Errorf("the message shows %s: %s", secret, shown)
		}
	}
	return e
}

func address(s *localdb.Server) string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

func TestAFailureToConnectHasTheCodeOfItsReason(t *testing.T) {
	s := servers.Postgres(t)
	tests := []struct {
		name   string
		change func(*postgres.Options)
		code   string
	}{
		{"wrong password", func(o *postgres.Options) { o.Password = executor.NewSecret("wrong") }, executor.CodeAuth},
		{"unknown user", func(o *postgres.Options) { o.User = "nobody" }, executor.CodeAuth},
		{"unknown database", func(o *postgres.Options) { o.Database = "nowhere" }, executor.CodeConfig},
		{"nobody listens", func(o *postgres.Options) { o.Port = 1 }, executor.CodeConnection},
		{"unknown host", func(o *postgres.Options) { o.Host = "no-such-host.invalid" }, executor.CodeConnection},
		{"TLS that the server has not", func(o *postgres.Options) { o.SSLMode = "require" }, executor.CodeConnection},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := options(s)
			tt.change(&o)
			_, err := collect(t.Context(), open(t, o), "SELECT 1")
			wantError(t, err, tt.code, s)
		})
	}
}

func TestSettingsThatAreNotUnderstoodAreAConfigError(t *testing.T) {
	for _, o := range []postgres.Options{
		{URI: executor.NewSecret("postgres://u:hunter2@h:notaport/db")},
		{Host: "h", User: "u", Password: executor.NewSecret("hunter2"), SSLMode: "perhaps"},
		{Host: "h", User: "u", Password: executor.NewSecret("hunter2"), SSLRootCert: "/no/such/file"},
		{Host: "h", User: "u", Password: executor.NewSecret("hunter2"), Schema: "a\x00b"},
	} {
		_, err := postgres.Open(o)
		var e *executor.Error
		if !errors.As(err, &e) || e.Code != executor.CodeConfig {
			t.Fatalf("got %v, want code config", err)
		}
		for cause := error(e); cause != nil; cause = errors.Unwrap(cause) {
			if strings.Contains(cause.Error(), "hunter2") {
				t.Fatalf("the password shows: %v", cause)
			}
		}
	}
}

func TestAURITakesThePlaceOfTheFields(t *testing.T) {
	s := servers.Postgres(t)
	uri := "postgres://" + s.User + ":" + s.Password + "@" + address(s) + "/" + s.Database + "?sslmode=disable"
	got, err := collect(t.Context(), open(t, postgres.Options{URI: executor.NewSecret(uri), Dialect: "redshift"}), "SELECT 1 AS n")
	if err != nil || got != `[{"n":1}]` {
		t.Fatalf("got %s, %v", got, err)
	}
}

func TestOddPasswordsAndNamesArriveWhole(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, `CREATE ROLE "o'dd \ name" LOGIN PASSWORD 'it''s = a \ secret'`, `CREATE SCHEMA "Odd ""schema"`,
		`CREATE TABLE "Odd ""schema".here AS SELECT 1 AS n`, `GRANT USAGE ON SCHEMA "Odd ""schema" TO PUBLIC`, `GRANT SELECT ON "Odd ""schema".here TO PUBLIC`)
	o := options(s)
	o.User, o.Password, o.Schema = `o'dd \ name`, executor.NewSecret(`it's = a \ secret`), `Odd "schema`
	got, err := collect(t.Context(), open(t, o), "SELECT n FROM here")
	if err != nil || got != `[{"n":1}]` {
		t.Fatalf("got %s, %v", got, err)
	}
}

func TestASessionIsInUTCReadOnlyAndPlainWhateverTheRoleSays(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE ROLE elsewhere LOGIN PASSWORD 'pw'", "ALTER ROLE elsewhere SET timezone = 'Asia/Tokyo'",
		"ALTER ROLE elsewhere SET standard_conforming_strings = off", "ALTER ROLE elsewhere SET default_transaction_read_only = off")
	o := options(s)
	o.User, o.Password = "elsewhere", executor.NewSecret("pw")
	e := open(t, o)
	got, err := collect(t.Context(), e, `SELECT current_setting('timezone') AS tz, 'a\b' AS text`)
	if err != nil || got != `[{"tz":"UTC","text":"a\\b"}]` {
		t.Fatalf("got %s, %v", got, err)
	}
	if _, err := collect(t.Context(), e, "CREATE TABLE public.t(n int)"); err == nil {
		t.Error("a read-only session wrote")
	}
}

func TestTheServersOwnTimeoutIsATimeout(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE ROLE hasty LOGIN PASSWORD 'pw'", "ALTER ROLE hasty SET statement_timeout = 100")
	o := options(s)
	o.User, o.Password = "hasty", executor.NewSecret("pw")
	_, err := collect(t.Context(), open(t, o), "SELECT pg_sleep(30)")
	wantError(t, err, executor.CodeTimeout, s)
}

func TestARefusalCarriesTheServersHint(t *testing.T) {
	s := servers.Postgres(t)
	_, err := collect(t.Context(), open(t, options(s)), "SELECT revenu FROM (SELECT 1 AS revenue) AS t")
	e := wantError(t, err, executor.CodeSQLRejected, s)
	if !strings.Contains(e.Message, `column "revenu" does not exist`) || !strings.Contains(e.Hint, "revenue") {
		t.Errorf("message %q, hint %q", e.Message, e.Hint)
	}
}

func TestAConnectionThatBreaksInTheMiddleIsNoQuietEnd(t *testing.T) {
	s := servers.Postgres(t)
	proxy := executortest.NewProxy(t, address(s))
	o := options(s)
	o.Port, o.PoolSize = proxy.Port, 1
	e := open(t, o)
	rows, err := e.Query(t.Context(), "SELECT generate_series(1, 50000000) AS i")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for i := 0; ; i++ {
		batch, err := rows.Next(t.Context())
		if err != nil {
			wantError(t, err, executor.CodeDriver, s)
			break
		}
		batch.Release()
		if i == 1 {
			proxy.Cut()
		}
	}
	if got, err := collect(t.Context(), e, "SELECT 1 AS n"); err != nil || got != `[{"n":1}]` {
		t.Fatalf("the pool did not recover: %s, %v", got, err)
	}
}

func TestASilentServerIsGivenUpWhenTheContextEnds(t *testing.T) {
	s := servers.Postgres(t)
	proxy := executortest.NewProxy(t, address(s))
	o := options(s)
	o.Port, o.PoolSize = proxy.Port, 1
	e := open(t, o)
	if _, err := collect(t.Context(), e, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	proxy.Stall()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err := collect(ctx, e, "SELECT 1")
	wantError(t, err, executor.CodeTimeout, s)
	if took := time.Since(started); took > 1100*time.Millisecond {
		t.Errorf("took %v", took)
	}
	proxy.Resume()
	if got, err := collect(t.Context(), e, "SELECT 1 AS n"); err != nil || got != `[{"n":1}]` {
		t.Fatalf("the pool did not recover: %s, %v", got, err)
	}
}

func TestAServerThatShutsTheSessionDown(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s))
	time.AfterFunc(200*time.Millisecond, func() {
		_, _ = collect(t.Context(), e, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()")
	})
	_, err := collect(t.Context(), e, "SELECT pg_sleep(30)")
	wantError(t, err, executor.CodeConnection, s)
}

func TestACancelledStatementIsGoneFromTheServer(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := collect(ctx, e, "SELECT pg_sleep(61)")
	wantError(t, err, executor.CodeTimeout, s)
	got, err := collect(t.Context(), e, "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(61)%'")
	if err != nil || got != `[{"n":0}]` {
		t.Fatalf("got %s, %v", got, err)
	}
}

func TestAStatementWithoutColumnsHasNoRows(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s))
	rows, err := e.Query(t.Context(), "SET application_name = 'x'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if _, err := rows.Next(t.Context()); !errors.Is(err, io.EOF) || rows.Schema().NumFields() != 0 {
		t.Fatalf("got %v", err)
	}
	for _, sql := range []string{"-- nothing", "SELECT 1 -- \x00"} {
		_, err := collect(t.Context(), e, sql)
		wantError(t, err, executor.CodeSQLRejected, s)
	}
	_, err = collect(t.Context(), e, "SELECT INTERVAL '178000000 years' + make_interval(hours => 2000000000) AS long_time")
	if e := wantError(t, err, executor.CodeDriver, s); !strings.Contains(e.Message, "long_time") {
		t.Errorf("message %q", e.Message)
	}
}

func TestClosingDoesNotWaitForOpenRows(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s))
	rows, err := e.Query(t.Context(), "SELECT generate_series(1, 1000000) AS i")
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > time.Second {
		t.Errorf("close took %v", took)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAStatementWhoseColumnsHaveChangedIsDescribedAnew(t *testing.T) {
	s := servers.Postgres(t)
	o := options(s)
	o.PoolSize = 1
	e := open(t, o)
	const sql = "SELECT * FROM changing"
	for _, step := range []struct{ table, want string }{
		{"SELECT 1 AS n", `[{"n":1}]`},
		{"SELECT 2 AS n", `[{"n":2}]`},
		{"SELECT 'a text' AS n", `[{"n":"a text"}]`},           // another type
		{"SELECT 1.5::numeric(4,1) AS n", `[{"n":1.5}]`},       // in another format
		{"SELECT 1.50::numeric(4,2) AS n", `[{"n":1.50}]`},     // of another scale
		{"SELECT 3 AS n, 'more' AS m", `[{"n":3,"m":"more"}]`}, // one column more
		{"SELECT 3 AS other, 4 AS m", `[{"other":3,"m":4}]`},
		{"SELECT 5 AS n", `[{"n":5}]`}, // one column less
	} {
		admin(t, s, "DROP TABLE IF EXISTS changing", "CREATE TABLE changing AS "+step.table)
		for range 3 {
			got, err := collect(t.Context(), e, sql)
			if err != nil || got != step.want {
				t.Fatalf("got %s, %v, want %s", got, err, step.want)
			}
		}
	}
	admin(t, s, "DROP TABLE changing")
	for range 2 {
		_, err := collect(t.Context(), e, sql)
		if e := wantError(t, err, executor.CodeSQLRejected, s); !strings.Contains(e.Message, "changing") {
			t.Errorf("message %q", e.Message)
		}
	}
}
