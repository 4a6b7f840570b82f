package executortest

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/testwait"
)

func testConcurrentQueries(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 4)
	// All four are open at once before any continues: one connection each.
	var open4 []executor.Rows
	for i := range 4 {
		open4 = append(open4, startQuery(t, e, b.Series(10_000*(i+1))))
	}
	var wg sync.WaitGroup
	for i, rows := range open4 {
		wg.Go(func() {
			if got := collectRowsAsJSON(t, rows, nil).Count; got != 10_000*(i+1) {
				t.Errorf("query %d: %d rows, want %d", i, got, 10_000*(i+1))
			}
		})
	}
	wg.Wait()
	for range 16 {
		wg.Go(func() {
			if got, err := drainStatement(t.Context(), e, b.Series(500)); got != 500 || err != nil {
				t.Errorf("%d rows, error %v", got, err)
			}
		})
	}
	wg.Wait()
}

func testFullPool(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	holder := startQuery(t, e, b.Series(1_000_000))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err := e.Query(ctx, b.Series(1))
	expectPromptReturn(t, started.Add(50*time.Millisecond))
	ExpectError(t, err, executor.CodeTimeout)
	closeRows(t, holder)
	if got, err := drainStatement(t.Context(), e, b.Series(1)); got != 1 || err != nil {
		t.Fatalf("after the holder left: %d rows, error %v", got, err)
	}
}

func testCloseEarly(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	for i := range 5 {
		rows := startQuery(t, e, b.Series(50_000_000))
		if i%2 == 0 {
			batch, err := rows.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			batch.Release()
		}
		started := time.Now()
		closeRows(t, rows)
		expectPromptReturn(t, started)
	}
}

func testGoroutineLeaks(t *testing.T, b ConformanceBackend) {
	before := runtime.NumGoroutine()
	e := b.Open(t, 2)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, _ = drainStatement(ctx, e, b.Slow)
		cancel()
		_, _ = drainStatement(t.Context(), e, "SELEC 1")
		_, _ = drainStatement(t.Context(), e, b.Failing)
		rows, err := e.Query(t.Context(), b.Series(1_000_000))
		if err != nil {
			t.Fatal(err)
		}
		closeRows(t, rows)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			stacks := make([]byte, 1<<20)
			t.Logf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	})
	testwait.Until(t, "the goroutines of the executor have ended", func() bool { return runtime.NumGoroutine() <= before })
}
