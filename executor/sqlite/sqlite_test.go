package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // a driver that may write

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/sqlite"
	"github.com/semlayer/semlayer/executor/testwait"
)

// file makes a database of a script.
func file(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.sqlite")
	db := writable(t, path)
	if _, err := db.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func writable(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

func open(t *testing.T, path string) *sqlite.Executor {
	t.Helper()
	e, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Connections: 2})
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

func TestStatement_ReadOnly(t *testing.T) {
	path := file(t, "CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (1)")
	e := open(t, path)
	for _, text := range []string{
		"INSERT INTO t VALUES (2)",
		"INSERT INTO t VALUES (2) RETURNING v",
		"DELETE FROM t",
		"DROP TABLE t",
		"CREATE TABLE u (v)",
		"CREATE TEMP TABLE u (v)",
		"ATTACH '" + path + "2' AS other",
		"DETACH main",
		"PRAGMA table_info(t)",
		"PRAGMA table_xinfo(t)",
		"PRAGMA index_list(t)",
		"PRAGMA query_only = 0",
		"SELECT * FROM pragma_database_list",
		"SELECT load_extension('x')",
		"SELECT LOAD_EXTENSION('x', 'y')",
		"VACUUM INTO '" + path + "3'",
		"BEGIN",
		"SAVEPOINT s",
		"REINDEX",
		"SELECT 1; DROP TABLE t",
		"-- nothing",
		"SELECT 'a' AS \"v\" FROM t WHERE \"no such column\" = 1",
	} {
		_, err := executortest.QueryRowsJSON(t.Context(), e, text)
		if failure := executortest.ExpectError(t, err, executor.CodeSQLRejected); strings.Contains(failure.Message, filepath.Dir(path)) {
			t.Errorf("%s: the directory shows: %s", text, failure.Message)
		}
	}
	for text, want := range map[string]string{
		"SELECT v FROM t; -- and that is all":                                                               `[{"v":1}]`,
		"SELECT v FROM t /* all */ ;\n":                                                                     `[{"v":1}]`,
		"WITH u AS (SELECT v FROM t) SELECT COUNT(*) AS n FROM u, json_each('[1,2]')":                       `[{"n":2}]`,
		"SELECT c.name FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c WHERE t.name = 't'": `[{"name":"v"}]`,
	} {
		if got, err := executortest.QueryRowsJSON(t.Context(), e, text); err != nil || got != want {
			t.Errorf("%s: %s %v", text, got, err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("files were made: %v %v", left, err)
	}
}

func TestOpen_FailureIsConfigError(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "a\x00b", filepath.Join(dir, "missing"), dir, text} {
		_, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
		if e := executortest.ExpectError(t, err, executor.CodeConfig); strings.Contains(e.Message, dir) {
			t.Errorf("the directory shows: %s", e.Message)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("files were made: %v %v", left, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"})
	executortest.ExpectError(t, err, executor.CodeTimeout)
}

func TestTypes_ColumnFollowsValues(t *testing.T) {
	e := open(t, file(t, `CREATE TABLE t (id INTEGER PRIMARY KEY, flag BOOLEAN, price DECIMAL(10,2), big NUMERIC, name VARCHAR(10), doc JSON, raw BLOB, at DATETIME, free, ratio REAL);
		INSERT INTO t VALUES (1, TRUE, 12, 9223372036854775807, 'x', '{"a":1}', x'00ff', '2024-01-05 10:00:00', 1, 2),
			(2, 0, 12.5, 1, 'y', '[]', NULL, NULL, 'two', NULL), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3.5, NULL)`))
	i64, f64, str := arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.BinaryTypes.String
	tests := []struct {
		sql  string
		dt   arrow.DataType
		kind executor.TextKind
		want string
	}{
		{"flag", arrow.FixedWidthTypes.Boolean, "", `[true,false,null]`},
		{"price", f64, "", `[12,12.5,null]`},
		{"CAST(price AS INTEGER)", i64, "", `[12,12,null]`},
		{"big", str, executor.TextKindDecimal, `[9223372036854775807,1,null]`},
		{"name", str, "", `["x","y",null]`},
		{"doc", str, executor.TextKindJSON, `[{"a":1},[],null]`},
		{"raw", arrow.BinaryTypes.Binary, "", `["AP8=",null,null]`},
		{"at", str, "", `["2024-01-05 10:00:00",null,null]`},
		{"free", str, "", `["1","two","3.5"]`},
		{"ratio", f64, "", `[2,null,null]`},
		{"CASE id WHEN 1 THEN 9007199254740993 WHEN 2 THEN 0.5 END", str, executor.TextKindDecimal, `[9007199254740993,0.5,null]`},
		{"CASE id WHEN 1 THEN 1 WHEN 2 THEN 0.5 END", f64, "", `[1,0.5,null]`},
		{"NULL", arrow.Null, "", `[null,null,null]`},
	}
	for _, tt := range tests {
		t.Run(tt.sql, func(t *testing.T) {
			rows, err := e.Query(t.Context(), "SELECT "+tt.sql+" AS v FROM t ORDER BY id")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			f := rows.Schema().Field(0)
			if !arrow.TypeEqual(f.Type, tt.dt) || executor.TextKindOfField(f) != tt.kind {
				t.Errorf("type %s of kind %q, want %s of %q", f.Type, executor.TextKindOfField(f), tt.dt, tt.kind)
			}
			got, err := jsonrows.CollectResult(t.Context(), rows, nil)
			if err != nil {
				t.Fatal(err)
			}
			cells := strings.NewReplacer(`{"v":`, "", "}", "").Replace(string(got.Rows))
			if d := cmp.Diff(strings.ReplaceAll(tt.want, "}", ""), cells); d != "" {
				t.Error(d)
			}
		})
	}
	empty, err := e.Query(t.Context(), "SELECT id, flag, price, name, doc, raw FROM t WHERE id > 9")
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	var got []arrow.Type
	for _, f := range empty.Schema().Fields() {
		got = append(got, f.Type.ID())
	}
	if d := cmp.Diff([]arrow.Type{arrow.INT64, arrow.BOOL, arrow.FLOAT64, arrow.STRING, arrow.STRING, arrow.BINARY}, got); d != "" {
		t.Error(d)
	}
}

// Values that come after the types were decided.
func TestTypes_LateValueFitsOrFails(t *testing.T) {
	t.Run("a value that arrives after the column's type is decided fits the type or fails", func(t *testing.T) {
		e := open(t, ":memory:")
		const late = 70_000
		tests := []struct{ early, late, want string }{ // want is the last value, "" for a failure
			{"1", "2.0", "2"},
			{"1", "2.5", ""},
			{"1", "'x'", ""},
			{"0.5", "3", "3"},
			{"0.5", "9007199254740993", ""},
			{"'x'", "4", `"4"`},
			{"'x'", "x'00'", ""},
			{"x'00'", "'ab'", `"YWI="`},
			{"NULL", "5", "5"},
			{"NULL", "'x'", `"x"`},
		}
		for _, tt := range tests {
			text := fmt.Sprintf("SELECT CASE WHEN i = %d THEN %s ELSE %s END AS v FROM (%s)", late, tt.late, tt.early, series(late+1))
			got, err := executortest.QueryRowsJSON(t.Context(), e, text)
			if tt.want == "" {
				if failure := executortest.ExpectError(t, err, executor.CodeDriver); !strings.Contains(failure.Message, "column v") || failure.Hint == "" {
					t.Errorf("%s after %s: %+v", tt.late, tt.early, failure)
				}
				continue
			}
			if err != nil || !strings.HasSuffix(got, `{"v":`+tt.want+`}]`) {
				t.Errorf("%s after %s: %v, …%s", tt.late, tt.early, err, got[max(0, len(got)-40):])
			}
		}
	})
}

func TestFile_WaitsForLock(t *testing.T) {
	path := file(t, "CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (1)")
	e := open(t, path)
	db := writable(t, path)
	defer db.Close()
	exec := func(text string) {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Error(err)
		}
	}
	exec("BEGIN EXCLUSIVE")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err := executortest.QueryRowsJSON(ctx, e, "SELECT v FROM t")
	executortest.ExpectError(t, err, executor.CodeTimeout)
	if took := time.Since(started); took > testwait.Deadline {
		t.Errorf("returned after %v", took)
	}
	released := time.AfterFunc(300*time.Millisecond, func() { exec("COMMIT") })
	defer released.Stop()
	if got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT v FROM t"); err != nil || got != `[{"v":1}]` {
		t.Errorf("%s %v", got, err)
	}
}

func TestFile_ReadsCurrentContent(t *testing.T) {
	path := file(t, "PRAGMA journal_mode = WAL; CREATE TABLE t (v INTEGER)")
	e := open(t, path)
	db := writable(t, path)
	defer db.Close()
	for want := range 3 {
		got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT COUNT(*) AS n FROM t")
		if err != nil || got != fmt.Sprintf(`[{"n":%d}]`, want) {
			t.Fatalf("%s %v", got, err)
		}
		if _, err := db.ExecContext(t.Context(), "INSERT INTO t VALUES (1)"); err != nil {
			t.Fatal(err)
		}
	}
}
