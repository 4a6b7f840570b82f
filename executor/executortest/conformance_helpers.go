package executortest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// maxCancelNoticeDelay is how long an ended context may go unnoticed on a busy machine. A driver that does not notice it
// waits for its statement, which takes longer.
const maxCancelNoticeDelay = 10 * time.Second

func openBackend(t testing.TB, b ConformanceBackend, connections int) executor.Executor {
	t.Helper()
	e := b.Open(t, connections)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return e
}

func startQuery(t testing.TB, e executor.Executor, sql string) executor.Rows {
	t.Helper()
	rows, err := e.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	t.Cleanup(func() { closeRows(t, rows) })
	return rows
}

func closeRows(t testing.TB, rows executor.Rows) {
	t.Helper()
	if err := rows.Close(); err != nil {
		t.Errorf("close rows: %v", err)
	}
}

func collectRowsAsJSON(t testing.TB, rows executor.Rows, hints jsonrows.TypeHints) jsonrows.CollectedResult {
	t.Helper()
	result, err := jsonrows.CollectResult(t.Context(), rows, hints)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// drainStatement runs a statement to its end and returns how it ended.
func drainStatement(ctx context.Context, e executor.Executor, sql string) (rows int64, err error) {
	r, err := e.Query(ctx, sql)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	err = executor.ReadBatches(ctx, r, func(batch arrow.RecordBatch) error {
		rows += batch.NumRows()
		return nil
	})
	return rows, err
}

func expectPromptReturn(t testing.TB, since time.Time) {
	t.Helper()
	if took := time.Since(since); took > maxCancelNoticeDelay {
		t.Errorf("returned %v after its context ended, want within %v", took, maxCancelNoticeDelay)
	}
}

// requireIntegerReader reads the integer column of Series, of any width.
func requireIntegerReader(t testing.TB, column arrow.Array) func(row int) int64 {
	t.Helper()
	at, ok := newIntegerReader(column)
	if !ok {
		t.Fatalf("the column of Series is a %T", column)
	}
	return at
}

func newIntegerReader(column arrow.Array) (at func(row int) int64, ok bool) {
	switch a := column.(type) {
	case *array.Int64:
		return a.Value, true
	case *array.Int32:
		return func(row int) int64 { return int64(a.Value(row)) }, true
	case *array.Uint64:
		return func(row int) int64 { return int64(a.Value(row)) }, true
	case *array.Decimal128:
		return func(row int) int64 { return int64(a.Value(row).LowBits()) }, true
	default:
		return nil, false
	}
}
