//go:build debug_bindings

package duckdb_test

import (
	"context"
	"testing"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// With the tag the bindings count what they allocate in C and what is
// destroyed: go test -tags debug_bindings ./duckdb
func TestMemory_NoLibraryAllocationsLeft(t *testing.T) {
	before := bindings.GetAllocationCounts()
	e, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{"CREATE TABLE t AS SELECT 1 AS n"}})
	if err != nil {
		t.Fatal(err)
	}
	if bindings.GetAllocationCounts() == before {
		t.Fatal("the bindings do not count")
	}
	for _, sql := range []string{
		"SELECT * FROM test_all_types()", "SELEC", "SELECT nope", "SELECT 1; SELECT 2", "SELECT ?", "SELECT 1::VARIANT",
		"SELECT CASE WHEN i = 500000 THEN error('x') ELSE i END FROM range(1000000) t(i)", "SELECT i FROM range(100000) t(i)",
		"SELECT sum(a.i * b.i % 7) FROM range(1000000) a(i), range(1000000) b(i)", "",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		if rows, err := e.Query(ctx, sql); err == nil {
			if batch, err := rows.Next(ctx); err == nil {
				batch.Release()
			}
			rows.Close()
		}
		cancel()
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := duckdb.Open(t.Context(), duckdb.Options{Path: "/nonexistent/file"}); err == nil {
		t.Fatal("opened")
	}
	if after := bindings.GetAllocationCounts(); after != before {
		t.Fatalf("left behind:\n%s", after)
	}
}
