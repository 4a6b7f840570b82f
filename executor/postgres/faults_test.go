package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
	"github.com/semlayer/semlayer/executor/testwait"
)

var open = executortest.OpenForTest(postgres.Open)

// admin runs statements outside of the executor's read-only sessions.
func admin(t *testing.T, s *localdb.Server, statements ...string) {
	t.Helper()
	e := open(t, options(s.Address))
	for _, sql := range statements {
		if _, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT set_config('default_transaction_read_only', 'off', false)"); err != nil {
			t.Fatal(err)
		}
		if _, err := executortest.QueryRowsJSON(t.Context(), e, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

func wantError(t *testing.T, err error, code string, s *localdb.Server) *executor.Error {
	t.Helper()
	return executortest.ExpectError(t, err, code, executortest.HiddenServerTexts(s.Address)...)
}

func TestOptions_InvalidAreConfigErrors(t *testing.T) {
	executortest.TestRejectedOptions(t, postgres.Open, "hunter2",
		postgres.Options{URI: executor.NewSecret("postgres://u:hunter2@h:notaport/db")},
		postgres.Options{Host: "h", User: "u", Password: executor.NewSecret("hunter2"), SSLMode: "perhaps"},
		postgres.Options{Host: "h", User: "u", Password: executor.NewSecret("hunter2"), SSLRootCert: "/no/such/file"},
		postgres.Options{Host: "h", User: "u", Password: executor.NewSecret("hunter2"), Schema: "a\x00b"})
}

func TestOptions_URIReplacesFields(t *testing.T) {
	s := servers.Postgres(t)
	uri := "postgres://" + s.User + ":" + s.Password + "@" + s.HostPort() + "/" + s.Database + "?sslmode=disable"
	got, err := executortest.QueryRowsJSON(t.Context(), open(t, postgres.Options{URI: executor.NewSecret(uri), Dialect: "redshift"}), "SELECT 1 AS n")
	if err != nil || got != `[{"n":1}]` {
		t.Fatalf("got %s, %v", got, err)
	}
}

func TestOptions_UnusualPasswordsAndNames(t *testing.T) {
	t.Run("passwords and names with special characters arrive unchanged", func(t *testing.T) {
		s := servers.Postgres(t)
		admin(t, s, `CREATE ROLE "o'dd \ name" LOGIN PASSWORD 'it''s = a \ secret'`, `CREATE SCHEMA "Odd ""schema"`,
			`CREATE TABLE "Odd ""schema".here AS SELECT 1 AS n`, `GRANT USAGE ON SCHEMA "Odd ""schema" TO PUBLIC`, `GRANT SELECT ON "Odd ""schema".here TO PUBLIC`)
		o := options(s.Address)
		o.User, o.Password, o.Schema = `o'dd \ name`, executor.NewSecret(`it's = a \ secret`), `Odd "schema`
		got, err := executortest.QueryRowsJSON(t.Context(), open(t, o), "SELECT n FROM here")
		if err != nil || got != `[{"n":1}]` {
			t.Fatalf("got %s, %v", got, err)
		}
	})
}

func TestSession_UTCReadOnlyDespiteRole(t *testing.T) {
	t.Run("a session is read-only, in UTC and standard-conforming whatever the role sets", func(t *testing.T) {
		s := servers.Postgres(t)
		admin(t, s, "CREATE ROLE elsewhere LOGIN PASSWORD 'pw'", "ALTER ROLE elsewhere SET timezone = 'Asia/Tokyo'",
			"ALTER ROLE elsewhere SET standard_conforming_strings = off", "ALTER ROLE elsewhere SET default_transaction_read_only = off")
		o := options(s.Address)
		o.User, o.Password = "elsewhere", executor.NewSecret("pw")
		e := open(t, o)
		got, err := executortest.QueryRowsJSON(t.Context(), e, `SELECT current_setting('timezone') AS tz, 'a\b' AS text`)
		if err != nil || got != `[{"tz":"UTC","text":"a\\b"}]` {
			t.Fatalf("got %s, %v", got, err)
		}
		if _, err := executortest.QueryRowsJSON(t.Context(), e, "CREATE TABLE public.t(n int)"); err == nil {
			t.Error("a read-only session wrote")
		}
	})
}

func TestErrors_ServerTimeoutIsTimeout(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE ROLE hasty LOGIN PASSWORD 'pw'", "ALTER ROLE hasty SET statement_timeout = 100")
	o := options(s.Address)
	o.User, o.Password = "hasty", executor.NewSecret("pw")
	_, err := executortest.QueryRowsJSON(t.Context(), open(t, o), "SELECT pg_sleep(30)")
	wantError(t, err, executor.CodeTimeout, s)
}

func TestErrors_CarryServerHint(t *testing.T) {
	s := servers.Postgres(t)
	_, err := executortest.QueryRowsJSON(t.Context(), open(t, options(s.Address)), "SELECT revenu FROM (SELECT 1 AS revenue) AS t")
	e := wantError(t, err, executor.CodeSQLRejected, s)
	if !strings.Contains(e.Message, `column "revenu" does not exist`) || !strings.Contains(e.Hint, "revenue") {
		t.Errorf("message %q, hint %q", e.Message, e.Hint)
	}
}

func TestErrors_SessionShutDownByServer(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s.Address))
	ended := make(chan error, 1)
	go func() {
		_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT pg_sleep(600)")
		ended <- err
	}()
	testwait.Until(t, "the statement that sleeps runs, and its session is ended", func() bool {
		got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(600)%' AND pid <> pg_backend_pid()")
		if err != nil {
			t.Fatal(err)
		}
		return got != "[]"
	})
	wantError(t, <-ended, executor.CodeConnection, s)
}

func TestStatement_OtherTextRejected(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s.Address))
	for _, sql := range []string{"-- nothing", "SELECT 1 -- \x00"} {
		_, err := executortest.QueryRowsJSON(t.Context(), e, sql)
		wantError(t, err, executor.CodeSQLRejected, s)
	}
}

func TestTypes_IntervalOverflowNamesColumn(t *testing.T) {
	s := servers.Postgres(t)
	_, err := executortest.QueryRowsJSON(t.Context(), open(t, options(s.Address)), "SELECT INTERVAL '178000000 years' + make_interval(hours => 2000000000) AS long_time")
	if e := wantError(t, err, executor.CodeDriver, s); !strings.Contains(e.Message, "long_time") {
		t.Errorf("message %q", e.Message)
	}
}

func TestClose_DoesNotWaitForOpenRows(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s.Address))
	rows, err := e.Query(t.Context(), "SELECT generate_series(1, 1000000) AS i")
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > testwait.Deadline {
		t.Errorf("close took %v", took)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestColumnCache_ChangedColumnsDescribedAgain(t *testing.T) {
	t.Run("a statement whose columns have changed is described again", func(t *testing.T) {
		s := servers.Postgres(t)
		o := options(s.Address)
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
				got, err := executortest.QueryRowsJSON(t.Context(), e, sql)
				if err != nil || got != step.want {
					t.Fatalf("got %s, %v, want %s", got, err, step.want)
				}
			}
		}
		admin(t, s, "DROP TABLE changing")
		for range 2 {
			_, err := executortest.QueryRowsJSON(t.Context(), e, sql)
			if e := wantError(t, err, executor.CodeSQLRejected, s); !strings.Contains(e.Message, "changing") {
				t.Errorf("message %q", e.Message)
			}
		}
	})
}

// Redshift supports neither the setting nor literals without escapes, and its dialect escapes.
func TestSession_RedshiftKeepsEscapes(t *testing.T) {
	t.Run("a session on Redshift leaves the setting of string escapes alone", func(t *testing.T) {
		s := servers.Postgres(t)
		admin(t, s, "CREATE ROLE escaping LOGIN PASSWORD 'pw'", "ALTER ROLE escaping SET standard_conforming_strings = off")
		o := options(s.Address)
		o.User, o.Password, o.Dialect = "escaping", executor.NewSecret("pw"), "redshift"
		got, err := executortest.QueryRowsJSON(t.Context(), open(t, o), `SELECT current_setting('standard_conforming_strings') AS plain`)
		if err != nil || got != `[{"plain":"off"}]` {
			t.Fatalf("got %s, %v", got, err)
		}
	})
}
