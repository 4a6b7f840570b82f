package executortest

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// slowStatementStartDelay is long enough for a slow statement to have reached the warehouse.
const slowStatementStartDelay = 200 * time.Millisecond

func testCancelQuery(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled time.Time
	time.AfterFunc(slowStatementStartDelay, func() {
		cancelled = time.Now()
		cancel()
	})
	_, err := drainStatement(ctx, e, b.Slow)
	if ctx.Err() == nil {
		t.Fatalf("the slow statement ended by itself: %v", err)
	}
	expectPromptReturn(t, cancelled)
	ExpectError(t, err, executor.CodeTimeout)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not wrap context.Canceled", err)
	}
}

func testCancelNext(t *testing.T, b ConformanceBackend) {
	rows := startQuery(t, openBackend(t, b, 1), b.Series(50_000_000))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var cancelled time.Time
	for i := 0; ; i++ {
		batch, err := rows.Next(ctx)
		if err != nil {
			expectPromptReturn(t, cancelled)
			ExpectError(t, err, executor.CodeTimeout)
			if _, again := rows.Next(t.Context()); again == nil {
				t.Error("rows went on after their error")
			}
			return
		}
		batch.Release()
		if i == 2 {
			cancelled = time.Now()
			cancel()
		}
	}
}

func testDeadline(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	ctx, cancel := context.WithTimeout(t.Context(), slowStatementStartDelay)
	defer cancel()
	started := time.Now()
	_, err := drainStatement(ctx, e, b.Slow)
	expectPromptReturn(t, started.Add(slowStatementStartDelay))
	ExpectError(t, err, executor.CodeTimeout)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v does not wrap context.DeadlineExceeded", err)
	}
}

func testEndedContext(t *testing.T, b ConformanceBackend) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := openBackend(t, b, 1).Query(ctx, b.Series(1))
	ExpectError(t, err, executor.CodeTimeout)
}

// A server bounds the time to the first batch and lets the stream continue: the
// first context ends while the rows are open.
func testRowsOutliveQueryContext(t *testing.T, b ConformanceBackend) {
	const n = 200_000
	e := openBackend(t, b, 1)
	first, cancel := context.WithCancel(t.Context())
	rows, err := e.Query(first, b.Series(n))
	if err != nil {
		t.Fatal(err)
	}
	defer closeRows(t, rows)
	batch, err := rows.Next(first)
	if err != nil {
		t.Fatal(err)
	}
	got := batch.NumRows()
	batch.Release()
	cancel()
	got += int64(collectRowsAsJSON(t, rows, nil).Count)
	if got != n {
		t.Errorf("%d rows, want %d", got, n)
	}
}

func testQueryAfterCancel(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	for range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := drainStatement(ctx, e, b.Slow)
		cancel()
		ExpectError(t, err, executor.CodeTimeout)
		if got, err := drainStatement(t.Context(), e, b.Series(1000)); got != 1000 || err != nil {
			t.Fatalf("after a cancelled statement: %d rows, error %v", got, err)
		}
	}
}

// Some calls end at random times, by their own contexts, while others on the same connections
// continue: those get their complete result.
func testRandomCancelsBesideOthers(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 2)
	var wg sync.WaitGroup
	for caller := range 4 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(caller), 0))
			for range 150 {
				rows := 1 + random.IntN(40)
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				hurried := random.IntN(2) == 0
				if hurried {
					ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(1500))*time.Microsecond)
				}
				got, err := drainStatement(ctx, e, b.Series(rows))
				cancel()
				var coded *executor.Error
				switch {
				case err == nil && got != int64(rows):
					t.Errorf("%d rows, want %d", got, rows)
				case err != nil && !(hurried && errors.As(err, &coded) && coded.Code == executor.CodeTimeout):
					t.Errorf("in a hurry %t: %v", hurried, err)
				}
			}
		})
	}
	wg.Wait()
}
