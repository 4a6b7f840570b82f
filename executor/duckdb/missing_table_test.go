package duckdb_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

func TestErrors_NameTheMissingTable(t *testing.T) {
	e, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{"CREATE TABLE bowls (x INT)"}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for sql, want := range map[string]string{
		"SELECT * FROM kilns":                     "kilns",
		`SELECT * FROM "the kilns"`:               "the kilns",
		"SELECT * FROM studio.kilns":              "studio.kilns",
		"SELECT * FROM archive.studio.kilns":      "archive",
		`SELECT * FROM main."x does not exist!y"`: "x does not exist!y",
		"SELECT y FROM bowls":                     "",
		"SELECT no_such_function(x) FROM bowls":   "",
	} {
		_, err := e.Query(t.Context(), sql)
		var failed *executor.Error
		if !errors.As(err, &failed) || failed.Code != executor.CodeSQLRejected {
			t.Errorf("%s: got %v", sql, err)
			continue
		}
		if failed.MissingTable != want {
			t.Errorf("%s: missing table %q, want %q: %s", sql, failed.MissingTable, want, failed.Message)
		}
	}
}
