package warehouse_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// flaky is an executor whose statements fail as often as it has failures, first at the start and then at the first rows.
type flaky struct {
	atStart, atRows []error
	queries         int
	columns         []string // of the statements in turn; the last one repeats
}

func (f *flaky) Dialect() string { return "trino" }
func (f *flaky) Close() error    { return nil }

func (f *flaky) Query(context.Context, string) (executor.Rows, error) {
	f.queries++
	if len(f.atStart) > 0 {
		err := f.atStart[0]
		f.atStart = f.atStart[1:]
		return nil, err
	}
	column := f.columns[0]
	if len(f.columns) > 1 {
		f.columns = f.columns[1:]
	}
	return &flakyRows{f, arrow.NewSchema([]arrow.Field{{Name: column, Type: arrow.PrimitiveTypes.Int64}}, nil)}, nil
}

type flakyRows struct {
	of     *flaky
	schema *arrow.Schema
}

func (r *flakyRows) Schema() *arrow.Schema { return r.schema }
func (r *flakyRows) Close() error          { return nil }

func (r *flakyRows) Next(context.Context) (arrow.RecordBatch, error) {
	if len(r.of.atRows) > 0 {
		err := r.of.atRows[0]
		r.of.atRows = r.of.atRows[1:]
		return nil, err
	}
	return nil, io.EOF
}

func openFlaky(t *testing.T, f *flaky, retries int) executor.Executor {
	t.Helper()
	p := profile.Profile{Name: "w", Type: "trino", Dialect: "trino", Retries: retries, Settings: &profile.Trino{Host: "h", Username: "u"}}
	e, err := warehouse.OpenProfile(t.Context(), p, warehouse.Options{Drivers: []warehouse.Driver{{Type: "trino", Open: func(profile.Profile, warehouse.Options) (executor.Executor, error) { return f, nil }}}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestRetries_SendStatementsWithoutRowsAgain(t *testing.T) {
	down := &executor.Error{Code: executor.CodeConnection, Message: "down"}
	lost := &executor.Error{Code: executor.CodeDriver, Message: "lost", ConnectionLost: true}
	wrong := &executor.Error{Code: executor.CodeSQLRejected, Message: "wrong"}
	rejected := &executor.Error{Code: executor.CodeAuth, Message: "rejected"}
	for name, c := range map[string]struct {
		f       flaky
		retries int
		want    error
		queries int
	}{
		"none":                          {flaky{atStart: []error{down}}, 0, down, 1},
		"one that is enough":            {flaky{atStart: []error{down}}, 1, nil, 2},
		"one that is too few":           {flaky{atStart: []error{down, lost}}, 1, lost, 2},
		"at the rows":                   {flaky{atRows: []error{lost, down}}, 2, nil, 3},
		"both, counted together":        {flaky{atStart: []error{down}, atRows: []error{lost, lost}}, 2, lost, 3},
		"a statement that is rejected":  {flaky{atStart: []error{wrong}}, 3, wrong, 1},
		"credentials without a program": {flaky{atStart: []error{rejected}}, 3, rejected, 1},
		"other columns":                 {flaky{atRows: []error{lost}, columns: []string{"a", "b"}}, 3, lost, 2},
	} {
		if c.f.columns == nil {
			c.f.columns = []string{"a"}
		}
		_, err := executortest.CollectJSON(t.Context(), openFlaky(t, &c.f, c.retries), "SELECT 1")
		if !errors.Is(err, c.want) || c.f.queries != c.queries {
			t.Errorf("%s: %v after %d queries, want %v after %d", name, err, c.f.queries, c.want, c.queries)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &flaky{atStart: []error{down}, columns: []string{"a"}}
	if _, err := openFlaky(t, f, 3).Query(ctx, "SELECT 1"); !errors.Is(err, down) || f.queries != 1 {
		t.Errorf("the caller has left: %v after %d queries", err, f.queries)
	}
}

// postgresProfile returns the profile of the server behind the proxy, with further keys.
func postgresProfile(t *testing.T, port int, user, keys string) executor.Executor {
	t.Helper()
	s := servers.Postgres(t)
	text := fmt.Sprintf("datasources: {w: {type: postgres, host: 127.0.0.1, port: %d, username: %s, database: %s, sslmode: disable, %s}}", port, user, s.Database, keys)
	file, err := profile.Parse([]byte(text), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	e, err := warehouse.OpenProfile(t.Context(), file.Profiles[0], warehouse.Options{})
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

// connectAsAdmin returns a connection of the test itself.
func connectAsAdmin(t *testing.T) (admin *pgx.Conn, do func(sql string)) {
	t.Helper()
	admin, err := pgx.Connect(t.Context(), servers.Postgres(t).URI())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close(context.WithoutCancel(t.Context())) })
	return admin, func(sql string) {
		t.Helper()
		if _, err := admin.Exec(context.WithoutCancel(t.Context()), sql); err != nil {
			t.Fatal(err)
		}
	}
}

// A statement waits for a lock when its connection breaks; the one that is sent again gets it.
func TestRetries_OutliveABrokenConnection(t *testing.T) {
	s := servers.Postgres(t)
	admin, do := connectAsAdmin(t)
	proxy := executortest.NewFaultProxy(t, s.HostPort())
	for retries, want := range map[int]string{0: executor.CodeDriver, 2: ""} {
		e := postgresProfile(t, proxy.Port, s.User, fmt.Sprintf("password: '%s', retries: %d", s.Password, retries))
		lock := strconv.Itoa(4711 + retries)
		do("SELECT pg_advisory_lock(" + lock + ")")
		done := make(chan error, 1)
		go func() {
			_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n FROM (SELECT pg_advisory_lock_shared("+lock+")) AS held")
			done <- err
		}()
		testwait.Until(t, "the statement waits", func() bool {
			waiting := 0
			if err := admin.QueryRow(t.Context(), "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = "+lock).Scan(&waiting); err != nil {
				t.Fatal(err)
			}
			return waiting > 0
		})
		proxy.CutConnections()
		do("SELECT pg_advisory_unlock(" + lock + ")")
		var failure *executor.Error
		if err := <-done; want == "" && err != nil || want != "" && (!errors.As(err, &failure) || failure.Code != want) {
			t.Errorf("%d retries: %v, want code %q", retries, err, want)
		}
	}
}

func TestExec_RunsAgainWhenTheSecretIsRejected(t *testing.T) {
	s := servers.Postgres(t)
	_, admin := connectAsAdmin(t)
	admin("CREATE ROLE rotating LOGIN PASSWORD 'first'")
	t.Cleanup(func() { admin("DROP ROLE rotating") })
	dir := t.TempDir()
	program, secret := filepath.Join(dir, "program"), filepath.Join(dir, "secret")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(program, "#!/bin/sh\necho run >> "+dir+"/runs\nprintf '{\"password\":\"%s\"}' \"$(cat \"$1\")\"\n")
	write(secret, "first")
	e := postgresProfile(t, s.Port, "rotating", "exec: {command: ["+program+", "+secret+"]}")
	ask := func(want string) {
		t.Helper()
		got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n")
		var failure *executor.Error
		if want == "" && (err != nil || got != `[{"n":1}]`) || want != "" && (!errors.As(err, &failure) || failure.Code != want) {
			t.Fatalf("%s %v, want code %q", got, err, want)
		}
	}
	cut := func() { admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotating'") }
	ask("")
	admin("ALTER ROLE rotating PASSWORD 'second'")
	write(secret, "second")
	cut()
	ask("") // the first secret is rejected, and the program has the second one
	cut()
	ask("") // with the same secret
	if runs, err := os.ReadFile(filepath.Join(dir, "runs")); err != nil || string(runs) != "run\nrun\n" {
		t.Errorf("runs %q %v", runs, err)
	}
	admin("ALTER ROLE rotating PASSWORD 'third'")
	cut()
	ask(executor.CodeAuth) // the program still prints the second one
}
