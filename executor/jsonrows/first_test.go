package jsonrows_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

func TestAppendFirst_WritesWhatFitsAndCountsAll(t *testing.T) {
	e, err := duckdb.Open(t.Context(), duckdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, c := range []struct {
		name, sql, want string
		most            jsonrows.WrittenRowsAndBytesLimit
		count           int
	}{
		{"all rows", "SELECT i FROM range(3) r(i)", `[{"i":0},{"i":1},{"i":2}]`, jsonrows.WrittenRowsAndBytesLimit{Rows: 3, Bytes: 25}, 3},
		{"a row too many", "SELECT i FROM range(4) r(i)", `[{"i":0},{"i":1},{"i":2}]`, jsonrows.WrittenRowsAndBytesLimit{Rows: 3, Bytes: 100}, 4},
		{"a byte too many", "SELECT i FROM range(3) r(i)", `[{"i":0},{"i":1}]`, jsonrows.WrittenRowsAndBytesLimit{Rows: 3, Bytes: 24}, 3},
		{"several batches", "SELECT i FROM range(200000) r(i)", `[{"i":0}]`, jsonrows.WrittenRowsAndBytesLimit{Rows: 1, Bytes: 100}, 200000},
		{"a long text in the middle", "SELECT CASE WHEN i = 1 THEN repeat('x', 100) ELSE 'a' END AS s FROM range(3) r(i) ORDER BY i", `[{"s":"a"}]`, jsonrows.WrittenRowsAndBytesLimit{Rows: 9, Bytes: 50}, 3},
		{"no rows", "SELECT i FROM range(0) r(i)", `[]`, jsonrows.WrittenRowsAndBytesLimit{Rows: 1, Bytes: 100}, 0},
	} {
		rows, err := e.Query(t.Context(), c.sql)
		if err != nil {
			t.Fatal(err)
		}
		got, count, err := jsonrows.AppendFirstRows(t.Context(), nil, rows, nil, c.most)
		if err != nil || string(got) != c.want || count != c.count {
			t.Errorf("%s: %.100s, %d rows, %v", c.name, got, count, err)
		}
		if strings.Contains(string(got), "xx") {
			t.Errorf("%s: the long text is there", c.name)
		}
		_ = rows.Close()
	}
}
