package executortest

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
)

func testEmptyResult(t *testing.T, b ConformanceBackend) {
	rows := startQuery(t, openBackend(t, b, 1), "SELECT n AS first, 'x' AS second FROM (SELECT 1 AS n) AS t WHERE n = 2")
	result := collectRowsAsJSON(t, rows, nil)
	if diff := cmp.Diff([]string{"first", "second"}, result.Columns); diff != "" {
		t.Error(diff)
	}
	if string(result.Rows) != "[]" || result.Count != 0 {
		t.Errorf("rows %s, count %d, want none", result.Rows, result.Count)
	}
}

func testLargeSeries(t *testing.T, b ConformanceBackend) {
	const n = 300_000
	rows := startQuery(t, openBackend(t, b, 1), b.Series(n))
	var next int64
	batches := 0
	for {
		batch, err := rows.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if batch.NumRows() == 0 {
			t.Fatal("an empty batch")
		}
		column := requireIntegerReader(t, batch.Column(0))
		for row := range int(batch.NumRows()) {
			if got := column(row); got != next {
				t.Fatalf("row %d holds %d", next, got)
			}
			next++
		}
		batches++
		batch.Release()
	}
	if next != n {
		t.Fatalf("%d rows, want %d", next, n)
	}
	if batches < 2 || batches > 100 {
		t.Errorf("%d batches: want few, but not one", batches)
	}
}

func testNextAfterLastRow(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	rows := startQuery(t, e, b.Series(3))
	if got := collectRowsAsJSON(t, rows, nil); got.Count != 3 {
		t.Fatalf("%d rows, want 3", got.Count)
	}
	for range 2 {
		if _, err := rows.Next(t.Context()); !errors.Is(err, io.EOF) {
			t.Errorf("next after the end: %v, want io.EOF", err)
		}
	}
	closeRows(t, rows)
	closeRows(t, rows)

	early := startQuery(t, e, b.Series(3))
	closeRows(t, early)
	if _, err := early.Next(t.Context()); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("next after an early close: %v, want an error that is not the end", err)
	}
}

func testDialectName(t *testing.T, b ConformanceBackend) {
	if got := openBackend(t, b, 1).Dialect(); got != b.Dialect {
		t.Errorf("dialect %q, want %q", got, b.Dialect)
	}
}

func testRejectsSeveralStatements(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	for _, sql := range []string{"SELECT 1; SELECT 2", "SELECT 1;\nSELECT 2;", ""} {
		rows, err := drainStatement(t.Context(), e, sql)
		if rows != 0 || err == nil {
			t.Errorf("%q: %d rows and error %v, want an error", sql, rows, err)
			continue
		}
		if b.OnlySelect && sql != "" {
			ExpectError(t, err, executor.CodeInternal)
			continue
		}
		ExpectError(t, err, executor.CodeSQLRejected)
	}
}
