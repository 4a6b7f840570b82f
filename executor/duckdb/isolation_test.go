package duckdb_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// checksums returns the contents of every file below a folder.
func checksums(t testing.TB, folder string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		sums[path] = d.Type().String()
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sums[path] = fmt.Sprintf("%x", sha256.Sum256(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// canary is the text of the files that SQL must not reach.
const canary = "c4n4ry"

// attempts are statements that try to read or write something other than the tables. OUT is a
// folder with the canary, DATA the folder of the data files.
var attempts = []string{
	"SELECT * FROM read_csv('OUT/secret.csv')",
	"SELECT * FROM 'OUT/secret.csv'",
	"SELECT * FROM read_text('OUT/secret.csv')",
	"SELECT * FROM read_blob('OUT/secret.csv')",
	"SELECT * FROM read_text('DATA/../OUTNAME/secret.csv')",
	"SELECT * FROM read_text('DATA/trips.csv/../../OUTNAME/secret.csv')",
	"SELECT * FROM read_text('DATA/notes.txt')",
	"SELECT * FROM read_text('DATA/.hidden.csv')",
	"SELECT * FROM read_csv('DATA/link.csv')",
	"SELECT * FROM read_csv('DATA/*.csv')",
	"SELECT * FROM read_csv(['DATA/trips.csv', 'OUT/secret.csv'])",
	"SELECT * FROM read_json('OUT/secret.csv')",
	"SELECT * FROM read_parquet('OUT/secret.csv')",
	"SELECT * FROM parquet_metadata('OUT/secret.csv')",
	"SELECT * FROM sniff_csv('OUT/secret.csv')",
	"SELECT * FROM glob('OUT/*')",
	"SELECT * FROM glob('DATA/*')",
	"SELECT * FROM read_duckdb('OUT/x.duckdb')",
	"SELECT * FROM query('SELECT * FROM read_text(''OUT/secret.csv'')')",
	"SELECT * FROM query_table('OUT/secret.csv')",
	"SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
	"SELECT * FROM enable_logging('QueryLog', storage := 'file', storage_path := 'OUT/log')",
	`SELECT * FROM system.main."ENABLE_LOGGING"('QueryLog')`,
	"SELECT 1 WHERE EXISTS (FROM /* a comment */ enable_profiling /* and another */ ())",
	"SELECT * FROM enable_profiling(save_location := 'OUT/profile.json')",
	"SELECT * FROM checkpoint()",
	"SELECT getenv('HOME')",
	"COPY (SELECT 1) TO 'OUT/new.csv'",
	"COPY (SELECT 1) TO 'DATA/trips.csv'",
	"COPY (SELECT 1) TO 'DATA/new.csv'",
	"COPY trips FROM 'OUT/secret.csv'",
	"ATTACH 'OUT/new.duckdb'",
	"ATTACH 'DATA/trips.csv' AS x",
	"EXPORT DATABASE 'OUT/dump'",
	"IMPORT DATABASE 'OUT/dump'",
	"INSTALL httpfs",
	"LOAD httpfs",
	"PRAGMA import_database('OUT/dump')",
	"PRAGMA enable_profiling",
	"CALL enable_logging()",
	"SET enable_external_access = true",
	"SET GLOBAL allowed_paths = ['OUT/secret.csv']",
	"RESET lock_configuration",
	"SET temp_directory = 'OUT'",
	"CREATE TABLE t AS SELECT 1",
	"CREATE VIEW v AS SELECT * FROM read_text('OUT/secret.csv')",
	"DROP VIEW trips",
	"INSERT INTO trips VALUES (1)",
	"CREATE SECRET s (TYPE s3)",
	"SELECT 1; COPY (SELECT 1) TO 'OUT/new.csv'",
	"EXPLAIN ANALYZE SELECT 1",
	"SELECT * FROM 'https://127.0.0.1:1/x.csv'",
	"SELECT * FROM 's3://bucket/x.parquet'",
	"VACUUM",
	"BEGIN",
}

func TestIsolation_AttemptsReadAndWriteNothing(t *testing.T) {
	base := t.TempDir()
	data, out := filepath.Join(base, "data"), filepath.Join(base, "out")
	writeFiles(t, data, map[string]string{"trips.csv": "id,n\n1,10\n", "notes.txt": canary, ".hidden.csv": "a\n" + canary + "\n"})
	writeFiles(t, out, map[string]string{"secret.csv": "a\n" + canary + "\n", "dump/schema.sql": "SELECT 1", "dump/load.sql": ""})
	if err := os.Symlink(filepath.Join(out, "secret.csv"), filepath.Join(data, "link.csv")); err != nil {
		t.Fatal(err)
	}
	before := checksums(t, base)
	e := openData(t, data)
	places := strings.NewReplacer("OUTNAME", "out", "OUT", out, "DATA", data)
	for _, attempt := range attempts {
		sql := places.Replace(attempt)
		got, err := collect(t, e, sql)
		var refused *executor.Error
		if !errors.As(err, &refused) || strings.Contains(got+err.Error(), canary) {
			t.Errorf("%s: rows %s, error %v", attempt, got, err)
			continue
		}
		isSelect := strings.HasPrefix(attempt, "SELECT") && !strings.Contains(attempt, ";")
		if !isSelect && refused.Code != executor.CodeInternal && refused.Code != executor.CodeSQLRejected {
			t.Errorf("%s: code %s", attempt, refused.Code)
		}
		if got := query(t, e, "SELECT id, n FROM trips"); got != `[{"id":1,"n":10}]` {
			t.Fatalf("after %s the table has %s", attempt, got)
		}
	}
	if d := cmp.Diff(before, checksums(t, base)); d != "" {
		t.Error("files changed:", d)
	}
}

// The code internal also holds for a database that may reach files.
func TestIsolation_OnlySelectInEveryMode(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.duckdb")
	if err := duckdb.CreateDatabase(t.Context(), path, "CREATE TABLE t AS SELECT 1 AS n"); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]duckdb.Options{
		"memory": {}, "read-only file": {Path: path}, "writable file": {Path: path, ReadWrite: true}, "external access": {ExternalAccess: true},
	} {
		e, err := duckdb.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, sql := range []string{
			"COPY (SELECT 1) TO '" + folder + "/x.csv'", "CREATE TABLE u AS SELECT 1", "SET threads = 1", "SELECT 1; SELECT 2",
			"SELECT * FROM enable_logging()", "ATTACH '" + folder + "/x.duckdb'",
		} {
			_, err := collect(t, e, sql)
			// DuckDB itself rejects a path while it prepares the statement.
			refusesPath := strings.HasPrefix(sql, "COPY") && !o.ExternalAccess && code(err) == executor.CodeSQLRejected
			if code(err) != executor.CodeInternal && !refusesPath {
				t.Errorf("%s: %s: %v", name, sql, err)
			}
		}
		// The name of a function that is not called is not a reason.
		if got := query(t, e, `SELECT 'enable_logging()' AS "checkpoint", 1 AS query`); got != `[{"checkpoint":"enable_logging()","query":1}]` {
			t.Error(got)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(folder + "/x.csv"); err == nil {
		t.Error("a file was written")
	}
}

func TestIsolation_HostileFileNames(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{}
	for i, name := range []string{
		"it's.csv", `a "quoted".csv`, "line\nbreak.csv", "st*r.csv", "wh?t.csv", "br[ack]et.csv", "x'); DROP VIEW y; --.csv",
		"größe 日本.csv", "back\\slash.csv", "dollar$HOME.csv", "-dash.csv", "per%20cent.csv", "semi;colon.csv", " space .csv", "~tilde.csv",
	} {
		files[name] = fmt.Sprintf("id\n%d\n", i)
	}
	writeFiles(t, folder, files)
	// A pattern would match these too.
	writeFiles(t, folder, map[string]string{"bra.csv": "id\n-1\n", "starr.csv": "id\n-1\n", "what.csv": "id\n-1\n"})
	before := checksums(t, folder)
	e := openData(t, folder)
	sums := map[string]string{}
	rows := query(t, e, "SELECT string_agg(view_name, ' ' ORDER BY view_name) AS names FROM duckdb_views() WHERE NOT internal")
	for _, name := range strings.Fields(strings.TrimSuffix(strings.TrimPrefix(rows, `[{"names":"`), `"}]`)) {
		sums[name] = query(t, e, "SELECT id FROM "+name)
	}
	want := map[string]string{
		"it_s": "0", "a_quoted": "1", "line_break": "2", "st_r": "3", "wh_t": "4", "br_ack_et": "5", "x_drop_view_y": "6", "gr_e": "7",
		"back_slash": "8", "dollar_home": "9", "dash": "10", "per_20cent": "11", "semi_colon": "12", "space": "13", "tilde": "14",
		"bra": "-1", "starr": "-1", "what": "-1",
	}
	for name := range maps.Keys(want) {
		want[name] = `[{"id":` + want[name] + `}]`
	}
	if d := cmp.Diff(want, sums); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(before, checksums(t, folder)); d != "" {
		t.Error(d)
	}
}

func TestData_FileThatCannotBeReadIsNamed(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, whole, "SELECT range AS n FROM range(1000)")
	parquet, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzipped(t, strings.Repeat("a,b\n1,2\n", 1000))
	for name, text := range map[string]string{
		"empty.csv": "", "empty.parquet": "", "empty.jsonl": "", "half.parquet": string(parquet[:len(parquet)/2]), "no.parquet": "hello",
		"values.csv": "1,ann,3.5\n2,bob,4.5\n3,carl,2\n", "late.csv": "id,name\n" + strings.Repeat("1,a\n", 3000) + "1,a,b\n",
		"half.csv.gz": packed[:len(packed)/2], "plain.csv.gz": "a,b\n1,2\n", "plain.jsonl.zst": "{}", "half.json": `[{"a":1},{"a":`,
		"numbers.json": "[1,2]", "lines.json": "{\"a\":1}\n{\"a\":2}\n", "none.json": "[]", "broken.jsonl": "{\"a\":1}\n{\"a\":\n",
		"deep.json": strings.Repeat("[", 100_000),
	} {
		folder := t.TempDir()
		writeFiles(t, folder, map[string]string{name: text})
		e, err := tryData(t, folder)
		if err == nil {
			_ = e.Close()
		}
		if code(err) != executor.CodeConfig || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), folder) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Exec makes tables that Query reads; Query itself rejects such statements.
func TestExecutor_ExecMakesTablesAndQueryDoesNot(t *testing.T) {
	e := open(t, duckdb.Options{Connections: 1})
	if err := e.Exec(t.Context(), "CREATE TABLE made AS SELECT 7 AS n"); err != nil {
		t.Fatal(err)
	}
	if got := query(t, e, "SELECT n FROM made"); !strings.Contains(got, "7") {
		t.Error(got)
	}
	if _, err := e.Query(t.Context(), "CREATE TABLE other AS SELECT 7 AS n"); err == nil {
		t.Error("a query makes a table")
	}
	var rejected *executor.Error
	if err := e.Exec(t.Context(), "CREATE TABLE made AS SELECT 8 AS n"); !errors.As(err, &rejected) {
		t.Errorf("a second table of the name: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := e.Exec(ended, "CREATE TABLE late AS SELECT 9 AS n"); err == nil {
		t.Error("a statement after the end of its context")
	}
	if got := query(t, e, "SELECT n FROM made"); !strings.Contains(got, "7") {
		t.Errorf("after the failures: %s", got)
	}
}
