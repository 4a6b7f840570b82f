package duckdb_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// writeFiles writes files below a folder.
func writeFiles(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// writeParquet writes the rows of a query to a Parquet file.
func writeParquet(t testing.TB, path, query string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := duckdb.Open(t.Context(), duckdb.Options{ExternalAccess: true, Setup: []string{
		"COPY (" + query + ") TO '" + strings.ReplaceAll(path, "'", "''") + "' (FORMAT parquet)",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

func openData(t testing.TB, paths ...string) *duckdb.Executor {
	t.Helper()
	e, err := tryData(t, paths...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func tryData(t testing.TB, paths ...string) (*duckdb.Executor, error) {
	set, err := datafiles.FindTables(t.Context(), paths)
	if err != nil {
		return nil, err
	}
	return duckdb.Open(t.Context(), duckdb.Options{Data: set})
}

func TestData_FormatsBecomeTables(t *testing.T) {
	folder := t.TempDir()
	writeParquet(t, filepath.Join(folder, "trips.parquet"), "SELECT 1 AS id, DATE '2024-01-02' AS day, 2.50::DECIMAL(8,2) AS fare")
	writeFiles(t, folder, map[string]string{
		"bikes.csv":       "id,kind\n1,city\n2,\"a, b\"\n",
		"stops.tsv":       "id\tname\n7\tNorth, East\n",
		"users.json":      `[{"id": 1, "name": "Ann"}, {"id": 2, "age": 5}]`,
		"events.jsonl":    "{\"at\": \"2024-01-02 03:04:05\"}\n",
		"notes.txt":       "not data",
		"packed.csv.gz":   gzipped(t, "n\n1\n2\n"),
		"dense.jsonl.zst": zstandard(t, "{\"n\": 3}\n"),
	})
	e := openData(t, folder)
	for sql, want := range map[string]string{
		"SELECT * FROM trips":                                         `[{"id":1,"day":"2024-01-02","fare":2.50}]`,
		"SELECT * FROM bikes ORDER BY id":                             `[{"id":1,"kind":"city"},{"id":2,"kind":"a, b"}]`,
		"SELECT * FROM stops":                                         `[{"id":7,"name":"North, East"}]`,
		"SELECT * FROM users ORDER BY id":                             `[{"id":1,"name":"Ann","age":null},{"id":2,"name":null,"age":5}]`,
		"SELECT \"at\", typeof(\"at\") AS t FROM events":              `[{"at":"2024-01-02T03:04:05","t":"TIMESTAMP"}]`,
		"SELECT sum(n)::INTEGER AS n FROM packed":                     `[{"n":3}]`,
		"SELECT n FROM dense":                                         `[{"n":3}]`,
		"SELECT count(*) AS n FROM duckdb_views() WHERE NOT internal": `[{"n":7}]`,
	} {
		if d := cmp.Diff(want, query(t, e, sql)); d != "" {
			t.Errorf("%s: %s", sql, d)
		}
	}
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t testing.TB, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// The footer of a Parquet file is kept for later statements. A file that is replaced has another one.
func TestData_ReplacedParquetFileGivesItsOwnRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trips.parquet")
	replace := func(query string, age time.Duration) {
		writeParquet(t, path, query)
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	replace("SELECT i AS n FROM range(1000) t(i)", 3*time.Hour)
	e := openData(t, path)
	const total = "SELECT concat_ws(',', count(*), min(n), max(n)) AS v FROM trips"
	for _, c := range []struct {
		rows string
		age  time.Duration
		want string
	}{
		{"SELECT i AS n FROM range(1000) t(i)", 3 * time.Hour, "1000,0,999"},
		{"SELECT i + 5000 AS n FROM range(1000) t(i)", 2 * time.Hour, "1000,5000,5999"},
		{"SELECT i AS n FROM range(300000) t(i)", time.Hour, "300000,0,299999"},
		{"SELECT i - 7 AS n FROM range(1000) t(i)", 0, "1000,-7,992"},
		{"SELECT i - 8 AS n FROM range(1000) t(i)", 0, "1000,-8,991"},
	} {
		replace(c.rows, c.age)
		for range 2 { // the second answer has the footer of the first
			if got := query(t, e, total); got != `[{"v":"`+c.want+`"}]` {
				t.Errorf("%s: %s, want %s", c.rows, got, c.want)
			}
		}
	}
}

func TestData_FolderIsOneTable(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{
		"trips/year=2023/month=01/a.csv": "id,zip\n1,01234\n",
		"trips/year=2023/month=02/b.csv": "id,zip,fare\n2,K1A,2.5\n",
		"trips/year=2024/month=01/c.csv": "zip,id\n99999,3\n",
		"trips/year=2024/month=01/d.csv": "id,zip\n",
	})
	e := openData(t, folder)
	want := `[{"id":1,"zip":"01234","fare":null,"year":2023,"month":1},{"id":2,"zip":"K1A","fare":2.5,"year":2023,"month":2},{"id":3,"zip":"99999","fare":null,"year":2024,"month":1}]`
	if d := cmp.Diff(want, query(t, e, "SELECT id, zip, fare, year, month FROM trips ORDER BY id")); d != "" {
		t.Error(d)
	}
}

func TestData_RowThatDoesNotFitNamesTableFileAndLine(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{"trips.csv": "id,n\n1,1\n2,2\n", "events.jsonl": "{\"n\": 1}\n"})
	e := openData(t, folder)
	for name, more := range map[string]string{"trips.csv": "3,x\n", "events.jsonl": "{\"n\": \"x\"}\n"} {
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(more); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for sql, hint := range map[string]string{
		"SELECT sum(n) FROM trips":  `table trips, file "trips.csv", line 4`,
		"SELECT sum(n) FROM events": `table events, file "events.jsonl", line 2`,
	} {
		_, err := collect(t, e, sql)
		var failed *executor.Error
		if !errors.As(err, &failed) || failed.Code != executor.CodeSQLRejected || failed.Hint != hint || strings.Contains(failed.Message+failed.Hint, folder) {
			t.Errorf("%s: got %v with hint %q, want hint %q", sql, err, failed.Hint, hint)
		}
	}
}

// collect runs a statement to its end.
func collect(t testing.TB, e *duckdb.Executor, sql string) (string, error) {
	t.Helper()
	rows, err := e.Query(t.Context(), sql)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(t.Context(), rows, nil)
	if err != nil {
		return "", err
	}
	return string(result.Rows), nil
}

func appendText(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// The readers of DuckDB would round the fraction and leave out the offset.
func TestData_LaterRowsAreNeitherRoundedNorShifted(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{
		"a.csv": "n,big,ts\n1,9223372036854775807,2024-01-01 10:00:00\n", "b.jsonl": `{"n": 1, "big": 9223372036854775807, "ts": "2024-01-01T10:00:00"}` + "\n",
	})
	e := openData(t, folder)
	appendText(t, filepath.Join(folder, "a.csv"), "2,-9223372036854775808,2024-01-01 10:00:00+02:00\n,,\n")
	appendText(t, filepath.Join(folder, "b.jsonl"), `{"n": 2, "big": -9223372036854775808, "ts": "2024-01-01T10:00:00+02:00"}`+"\n{}\n")
	want := `[{"n":1,"big":9223372036854775807,"ts":"2024-01-01T10:00:00","t":"BIGINT"},{"n":2,"big":-9223372036854775808,"ts":"2024-01-01T08:00:00","t":"BIGINT"},{"n":null,"big":null,"ts":null,"t":"BIGINT"}]`
	for _, table := range []string{"a", "b"} {
		if d := cmp.Diff(want, query(t, e, "SELECT n, big, ts, typeof(n) AS t FROM "+table+" ORDER BY n NULLS LAST")); d != "" {
			t.Errorf("%s: %s", table, d)
		}
	}
	appendText(t, filepath.Join(folder, "a.csv"), "1.5,1,2024-01-01 10:00:00\n")
	appendText(t, filepath.Join(folder, "b.jsonl"), "{\"n\": 1.5}\n")
	for table, hint := range map[string]string{"a": `table a, file "a.csv", line 5`, "b": `table b, file "b.jsonl", line 4`} {
		_, err := collect(t, e, "SELECT sum(n) FROM "+table)
		var failed *executor.Error
		if !errors.As(err, &failed) || failed.Code != executor.CodeSQLRejected || failed.Hint != hint {
			t.Errorf("got %v with hint %q, want hint %q", err, failed.Hint, hint)
		}
	}
}

func TestData_FolderOfTenThousandFiles(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{}
	for i := range datafiles.MaxFiles {
		files[filepath.Join("trips", strconv.Itoa(i%100), strconv.Itoa(i)+".jsonl")] = "{\"n\": " + strconv.Itoa(i) + "}\n"
	}
	writeFiles(t, folder, files)
	e := openData(t, folder)
	if got := query(t, e, "SELECT count(*) AS rows, sum(n)::BIGINT AS n FROM trips"); got != `[{"rows":10000,"n":49995000}]` {
		t.Error(got)
	}
}

func TestReplaceData_RunningRowsKeepTheOldFiles(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	writeFiles(t, first, map[string]string{"a.csv": "n\n" + strings.Repeat("1\n", 300_000)})
	writeFiles(t, second, map[string]string{"a.csv": "n\n2\n", "b.csv": "n\n3\n"})
	e := openData(t, first)
	running, err := e.Query(t.Context(), "SELECT n FROM a")
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	set, err := datafiles.FindTables(t.Context(), []string{second})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.ReplaceData(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	if got := query(t, e, "SELECT a.n AS a, b.n AS b FROM a, b"); got != `[{"a":2,"b":3}]` {
		t.Error(got)
	}
	result, err := jsonrows.CollectResult(t.Context(), running, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(string(result.Rows), `{"n":1}`); rows != 300_000 {
		t.Errorf("the running query read %d rows", rows)
	}
	writeFiles(t, second, map[string]string{"b.csv": ""})
	if set, err = datafiles.FindTables(t.Context(), []string{second}); err != nil {
		t.Fatal(err)
	}
	if err := e.ReplaceData(t.Context(), set); code(err) != executor.CodeConfig {
		t.Errorf("a damaged file: %v", err)
	}
	writeFiles(t, second, map[string]string{"b.csv": "n\n3\n"})
	if got := query(t, e, "SELECT n FROM a"); got != `[{"n":2}]` {
		t.Errorf("after a refused replacement: %s", got)
	}
}
