package duckdb_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
)

// TestData_UnreadableFileIsExplained changes a file after its registration. The message has no word of DuckDB, and the hint
// names the table, the file and the time.
func TestData_UnreadableFileIsExplained(t *testing.T) {
	const csv, jsonLines = "id,n\n1,1\n2,2\n", "{\"id\": 1, \"n\": 1}\n"
	changed := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	write := func(text string) func(path string) error {
		return func(path string) error {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, changed)
		}
	}
	parquet := func(query string) func(path string) error {
		return func(path string) error {
			writeParquet(t, path, query)
			return os.Chtimes(path, time.Time{}, changed)
		}
	}
	const garbled = "\x00\x01\xff garbage \xfe\x00, longer than the smallest file of each format\n\x00\x00"
	tests := []struct {
		name, file    string
		before, after func(path string) error
		why           string
	}{
		{"a deleted CSV file", "kilns.csv", write(csv), os.Remove, "it does not exist"},
		{"a deleted Parquet file", "kilns.parquet", parquet("SELECT 1 AS id, 2 AS n"), os.Remove, "it does not exist"},
		{"a deleted JSON file", "kilns.jsonl", write(jsonLines), os.Remove, "it does not exist"},
		{"a garbled CSV file", "kilns.csv", write(csv), write(garbled), "it is not CSV text"},
		{"a garbled Parquet file", "kilns.parquet", parquet("SELECT 1 AS id, 2 AS n"), write(garbled), "it is not a Parquet file"},
		{"a garbled JSON file", "kilns.json", write("[" + jsonLines + "]"), write(garbled), "it is not an array of JSON objects"},
		{"a garbled compressed file", "kilns.csv.gz", write(gzipped(t, csv)), write(garbled), "it is not compressed by gzip"},
		{"a CSV file with other columns", "kilns.csv", write(csv), write("x,y\n1,1\n"), `it no longer has the columns "id", "n"`},
		{"a text instead of CSV", "kilns.csv", write(csv), write("this is a text\nof two lines\n"), `it no longer has the columns "id", "n"`},
		{"an empty CSV file", "kilns.csv", write(csv), write(""), "it is empty"},
		{"an empty Parquet file", "kilns.parquet", parquet("SELECT 1 AS id, 2 AS n"), write(""), "it is empty"},
		{"a Parquet file with other columns", "kilns.parquet", parquet("SELECT 1 AS id, 2 AS n"), parquet("SELECT 1 AS n, 2 AS y"), `it no longer has the columns "id"`},
		{"a Parquet file with other types", "kilns.parquet", parquet("SELECT 1 AS id, 2 AS n"), parquet("SELECT 'a' AS id, 2 AS n"),
			`its column "id" has the type VARCHAR and had the type INTEGER`},
		{"a folder", "kilns.csv", write(csv), func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }, "it is a folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, tt.file)
			if err := tt.before(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Time{}, changed.Add(-time.Hour)); err != nil {
				t.Fatal(err)
			}
			e := openData(t, folder)
			if err := tt.after(path); err != nil {
				t.Fatal(err)
			}
			_, err := collect(t, e, "SELECT sum(n) AS n FROM kilns WHERE id > 0")
			checkUnreadable(t, err, tt.file, tt.why)
		})
	}
}

// checkUnreadable checks the error about a file.
func checkUnreadable(t *testing.T, err error, file, why string) {
	t.Helper()
	var failed *executor.Error
	if !errors.As(err, &failed) || failed.Code != executor.CodeSQLRejected {
		t.Fatalf("got %v", err)
	}
	if want := `the data file "` + file + `" cannot be read: ` + why; failed.Message != want {
		t.Errorf("got the message %s, want %s", failed.Message, want)
	}
	when := "; the file was changed at 2026-03-04T05:06:07Z"
	switch why {
	case "it does not exist":
		when = "; the file was read without an error at 2"
	case "it is a folder":
		when = "; the file was changed at 2"
	}
	if want := `table kilns, file "` + file + `"` + when; !strings.HasPrefix(failed.Hint, want) {
		t.Errorf("got the hint %s, want %s", failed.Hint, want)
	}
}

// A table whose only file is gone when the files are registered again.
func TestReplaceData_LostTableIsExplained(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{"kilns.csv": "id\n1\n", "potters.csv": "id\n1\n"})
	e := openData(t, folder)
	if err := os.Remove(filepath.Join(folder, "kilns.csv")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second registration has it, too
		set, err := datafiles.FindTables(t.Context(), []string{folder})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.ReplaceData(t.Context(), set); err != nil {
			t.Fatal(err)
		}
		_, err = collect(t, e, "SELECT sum(id) AS n FROM kilns")
		checkUnreadable(t, err, "kilns.csv", "it does not exist")
	}
	writeFiles(t, folder, map[string]string{"kilns.csv": "id\n5\n"})
	set, err := datafiles.FindTables(t.Context(), []string{folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.ReplaceData(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	if got := query(t, e, "SELECT sum(id)::INTEGER AS n FROM kilns"); got != `[{"n":5}]` {
		t.Error(got)
	}
}

// An error of the statement itself is not blamed on a file that has more rows than before, or on that of another table.
func TestData_ErrorOfTheStatementIsNotThatOfAFile(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{"kilns.csv": "id\n1\n", "potters.csv": "id\n1\n"})
	e := openData(t, folder)
	appendText(t, filepath.Join(folder, "kilns.csv"), "2\n")
	if err := os.Remove(filepath.Join(folder, "potters.csv")); err != nil {
		t.Fatal(err)
	}
	_, err := collect(t, e, "SELECT colour FROM kilns")
	if err == nil || !strings.Contains(err.Error(), "colour") {
		t.Error(err)
	}
}
