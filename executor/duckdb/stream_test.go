package duckdb_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
)

// each hands every batch of a statement to see and releases it.
func each(t testing.TB, e *duckdb.Executor, sql string, see func(arrow.RecordBatch)) {
	t.Helper()
	rows, err := e.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	for {
		batch, err := rows.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		see(batch)
		batch.Release()
	}
}

func TestStream_BatchesGrow(t *testing.T) {
	var sizes []int64
	each(t, open(t, duckdb.Options{}), "SELECT i FROM range(200000) t(i)", func(b arrow.RecordBatch) {
		sizes = append(sizes, b.NumRows())
	})
	want := []int64{2048, 4096, 8192, 16384, 32768, 65536, 65536}
	if len(sizes) < len(want) {
		t.Fatalf("batches of %v rows", sizes)
	}
	if diff := cmp.Diff(want, sizes[:len(want)]); diff != "" {
		t.Fatal(diff)
	}
}

func TestStream_FirstBatchArrivesAtOnce(t *testing.T) {
	e := open(t, duckdb.Options{})
	started := time.Now()
	rows, err := e.Query(t.Context(), "SELECT i, i * 2 AS j, 'text ' || i AS k FROM range(1000000000000) t(i)")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	batch, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	batch.Release()
	if took := time.Since(started); took > testwait.Deadline {
		t.Fatalf("the first batch took %v", took)
	}
}

func TestStream_BatchBoundedByBytes(t *testing.T) {
	const limit = 20 << 20
	total := int64(0)
	each(t, open(t, duckdb.Options{}), "SELECT repeat('x', 1000) AS s FROM range(100000)", func(b arrow.RecordBatch) {
		if size := b.Column(0).Data().SizeInBytes(); size > limit {
			t.Errorf("a batch of %d bytes", size)
		}
		total += b.NumRows()
	})
	if total != 100000 {
		t.Fatalf("%d rows, want 100000", total)
	}
}

func TestStream_NullsCarryNoOtherValue(t *testing.T) {
	t.Run("a NULL carries no value of another row or column", func(t *testing.T) {
		sql := "SELECT CASE WHEN i % 3 = 0 THEN i + 1 END AS n, CASE WHEN i % 3 = 0 THEN 'text number ' || i END AS s, " +
			"CASE WHEN i % 3 = 0 THEN i % 2 = 0 END AS b, CASE WHEN i % 3 = 0 THEN DATE '2024-01-05' ELSE 'infinity'::DATE END AS d FROM range(10000) t(i)"
		row := int64(0)
		each(t, open(t, duckdb.Options{}), sql, func(b arrow.RecordBatch) {
			numbers, texts := b.Column(0).(*array.Int64), b.Column(1).(*array.String)
			bools, dates := b.Column(2).(*array.Boolean), b.Column(3).(*array.Date32)
			for i := range int(b.NumRows()) {
				want := row%3 == 0
				for c := range int(b.NumCols()) {
					if b.Column(c).IsValid(i) != want {
						t.Fatalf("row %d column %d: valid is %v", row, c, !want)
					}
				}
				if !want && (numbers.Value(i) != 0 || texts.Value(i) != "" || bools.Value(i) || dates.Value(i) != 0) {
					t.Fatalf("row %d: a null with bytes behind it", row)
				}
				if want && numbers.Value(i) != row+1 {
					t.Fatalf("row %d holds %d", row, numbers.Value(i))
				}
				row++
			}
			if nulls := int(b.NumRows()) - countValid(b.Column(0)); b.Column(0).NullN() != nulls {
				t.Fatalf("null count %d, want %d", b.Column(0).NullN(), nulls)
			}
		})
		if row != 10000 {
			t.Fatalf("%d rows, want 10000", row)
		}
	})
}

func countValid(a arrow.Array) (n int) {
	for i := range a.Len() {
		if a.IsValid(i) {
			n++
		}
	}
	return n
}

func TestStream_JoinKeepsUnalignedNulls(t *testing.T) {
	t.Run("null bits that begin inside a byte survive joining vectors", func(t *testing.T) {
		// Chunks of odd sizes from a filter: the bitmaps meet inside bytes.
		row := int64(0)
		each(t, open(t, duckdb.Options{}), "SELECT i, CASE WHEN i % 7 < 5 THEN i END AS n FROM range(300000) t(i) WHERE i % 11 <> 3", func(b arrow.RecordBatch) {
			keys, values := b.Column(0).(*array.Int64), b.Column(1).(*array.Int64)
			for i := range int(b.NumRows()) {
				if k := keys.Value(i); values.IsValid(i) != (k%7 < 5) || (values.IsValid(i) && values.Value(i) != k) {
					t.Fatalf("key %d: valid %v, value %d", k, values.IsValid(i), values.Value(i))
				}
				row++
			}
		})
		if want := int64(300000 - 27273); row != want {
			t.Fatalf("%d rows, want %d", row, want)
		}
	})
}

func TestErrors_LateFailureQuotesDuckDB(t *testing.T) {
	e := open(t, duckdb.Options{Threads: 1})
	refused(t, e, "SELECT CASE WHEN i = 3000000 THEN error('no more') ELSE i END AS i FROM range(10000000) t(i)", executor.CodeSQLRejected, "no more")
}

func TestStatement_UnsupportedRejected(t *testing.T) {
	e := open(t, duckdb.Options{})
	tests := []struct{ sql, text string }{
		{"SELECT 1 -- \x00; DROP TABLE t", "NUL"},
		{"-- nothing here", "no statement"},
		{"SELECT ?", "parameter"},
		{"SELECT 1::VARIANT AS v", `"v"`},
		{"SELECT [1::VARIANT] AS v", `"v"`},
	}
	for _, tt := range tests {
		refused(t, e, tt.sql, executor.CodeSQLRejected, tt.text)
	}
	refused(t, e, "SELECT INTERVAL '300 years' + to_microseconds(9223372036854775807) AS long_time", executor.CodeDriver, "long_time")
	if got := query(t, e, "SELECT 1 AS n"); got != `[{"n":1}]` {
		t.Fatal(got)
	}
}

func TestStatement_WithoutResultHasNoRows(t *testing.T) {
	e := open(t, duckdb.Options{Setup: []string{"CREATE TABLE t(n INTEGER)"}})
	if got := query(t, e, "SELECT NULL AS n FROM t"); got != "[]" {
		t.Fatal(got)
	}
}

func TestPool_QueriesShareDatabase(t *testing.T) {
	e := open(t, duckdb.Options{Setup: []string{"CREATE TABLE t AS SELECT 1 AS n"}})
	first, err := e.Query(t.Context(), "SELECT n FROM t")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if got := query(t, e, "SELECT n FROM t"); got != `[{"n":1}]` {
		t.Fatal(got)
	}
}

func TestClose_OpenRowsStayReadable(t *testing.T) {
	e, err := duckdb.Open(t.Context(), duckdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.Query(t.Context(), "SELECT i FROM range(100000) t(i)")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for {
		batch, err := rows.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		total += batch.NumRows()
		batch.Release()
	}
	if err := rows.Close(); err != nil || total != 100000 {
		t.Fatalf("%d rows, error %v", total, err)
	}
}

func TestErrors_NameUnknownColumn(t *testing.T) {
	e := open(t, duckdb.Options{})
	_, err := e.Query(t.Context(), "SELECT revenu FROM (SELECT 1 AS revenue)")
	if err == nil || !strings.Contains(err.Error(), "revenu") || !strings.Contains(err.Error(), "revenue") {
		t.Fatalf("got %v", err)
	}
}
