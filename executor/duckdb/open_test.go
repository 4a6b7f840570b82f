package duckdb_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

func open(t testing.TB, o duckdb.Options) *duckdb.Executor {
	t.Helper()
	e, err := duckdb.Open(t.Context(), o)
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

func query(t testing.TB, e *duckdb.Executor, sql string) string {
	t.Helper()
	rows, err := e.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(t.Context(), rows, nil)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return string(result.Rows)
}

func code(err error) string {
	var e *executor.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

func refused(t *testing.T, e *duckdb.Executor, sql, wantCode, wantText string) {
	t.Helper()
	rows, err := e.Query(t.Context(), sql)
	if err == nil {
		_, err = jsonrows.CollectResult(t.Context(), rows, nil)
		rows.Close()
	}
	if code(err) != wantCode || !strings.Contains(err.Error(), wantText) {
		t.Errorf("%s: got %v, want %s with %q", sql, err, wantCode, wantText)
	}
}

func TestOpen_SetupRunsBeforeLock(t *testing.T) {
	t.Run("the setup loads tables before the configuration is locked", func(t *testing.T) {
		e := open(t, duckdb.Options{Setup: []string{
			"CREATE TABLE orders(id INTEGER, amount DECIMAL(10,2)); INSERT INTO orders VALUES (1, 12.5), (2, NULL)",
			"INSERT INTO orders VALUES (3, 100)",
		}})
		want := `[{"id":1,"amount":12.50},{"id":2,"amount":null},{"id":3,"amount":100.00}]`
		if diff := cmp.Diff(want, query(t, e, "SELECT * FROM orders ORDER BY id")); diff != "" {
			t.Fatal(diff)
		}
		refused(t, e, "SET threads = 1", executor.CodeInternal, "not a SELECT")
		refused(t, e, "SET TimeZone = 'Europe/Berlin'", executor.CodeInternal, "not a SELECT")
	})
}

func TestOpen_NoAccessOutsideDatabase(t *testing.T) {
	t.Run("statements cannot read or write outside the database", func(t *testing.T) {
		e := open(t, duckdb.Options{})
		for _, sql := range []string{
			"SELECT * FROM read_csv('/etc/passwd')",
			"SELECT * FROM read_text('/etc/passwd')",
			"SELECT * FROM '/etc/passwd'",
			"COPY (SELECT 1) TO '/tmp/semlayer-escape.csv'",
			"ATTACH '/tmp/semlayer-escape.duckdb'",
			"INSTALL httpfs",
			"LOAD httpfs",
			"SET enable_external_access = true",
		} {
			rows, err := e.Query(t.Context(), sql)
			if err == nil {
				_, err = jsonrows.CollectResult(t.Context(), rows, nil)
				rows.Close()
			}
			if err == nil {
				t.Errorf("%s: ran", sql)
			}
		}
		for _, name := range []string{"/tmp/semlayer-escape.csv", "/tmp/semlayer-escape.duckdb"} {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s was written", name)
			}
		}
	})
}

func TestOpen_FileIsReadOnlyByDefault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "facts.duckdb")
	loader, err := duckdb.Open(t.Context(), duckdb.Options{Path: path, ReadWrite: true, Setup: []string{"CREATE TABLE t AS SELECT 42 AS n"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := loader.Close(); err != nil {
		t.Fatal(err)
	}
	e := open(t, duckdb.Options{Path: path})
	if got := query(t, e, "SELECT n FROM t"); got != `[{"n":42}]` {
		t.Fatal(got)
	}
	refused(t, e, "INSERT INTO t VALUES (1)", executor.CodeInternal, "not a SELECT")
}

func TestOpen_FailureIsConfigError(t *testing.T) {
	junk := filepath.Join(t.TempDir(), "junk.duckdb")
	if err := os.WriteFile(junk, []byte("not a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		options duckdb.Options
	}{
		{"missing file", duckdb.Options{Path: filepath.Join(t.TempDir(), "none.duckdb")}},
		{"no database file", duckdb.Options{Path: junk}},
		{"directory", duckdb.Options{Path: t.TempDir()}},
		{"NUL in the path", duckdb.Options{Path: "a\x00b"}},
		{"memory limit", duckdb.Options{MemoryLimit: "plenty"}},
		{"setup", duckdb.Options{Setup: []string{"CREATE TABLE ("}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := duckdb.Open(t.Context(), tt.options)
			if err == nil {
				e.Close()
				t.Fatal("opened")
			}
			if code(err) != executor.CodeConfig {
				t.Fatalf("got %v, want code config", err)
			}
			if dir := filepath.Dir(tt.options.Path); len(dir) > 1 && strings.Contains(err.Error(), dir) {
				t.Fatalf("the message names the directory: %v", err)
			}
		})
	}
}

func TestOpen_SetupEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := duckdb.Open(ctx, duckdb.Options{Setup: []string{"SELECT 1"}})
	if code(err) != executor.CodeTimeout || !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want timeout wrapping context.Canceled", err)
	}
}

func TestClose_LaterQueriesFail(t *testing.T) {
	e, err := duckdb.Open(t.Context(), duckdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Query(t.Context(), "SELECT 1"); code(err) != executor.CodeDriver {
		t.Fatalf("got %v, want code driver", err)
	}
}
