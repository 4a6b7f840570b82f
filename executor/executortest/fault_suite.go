package executortest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/testwait"
)

// FaultRunsEnv names the variable that sets the number of runs of each fault.
const FaultRunsEnv = "SEMLAYER_FAULT_RUNS"

const defaultFaultRuns = 2

// faultPoolSize is the size of a pool whose connections break together.
const faultPoolSize = 3

// RunsPerFault returns the number of runs of each fault: the value of the variable, or a small
// default.
func RunsPerFault(t testing.TB) int {
	t.Helper()
	text := os.Getenv(FaultRunsEnv)
	if text == "" {
		return defaultFaultRuns
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a number of runs", FaultRunsEnv, text)
	}
	return n
}

// FaultBackend is a driver family whose server sits behind a network that breaks.
type FaultBackend struct {
	// Address is where the server really is.
	Address string
	// Open opens the warehouse at a port of 127.0.0.1 with a pool of that
	// many connections. The suite closes it.
	Open func(t testing.TB, port, connections int) executor.Executor
	// Series is a statement for the integers 0 to n-1 in order, column i.
	Series func(n int) string
	// Slow is a statement that computes for a minute before its first row.
	Slow string
	// Hidden are texts that no error shows, such as the password.
	Hidden []string
	// Restart stops the server hard and starts it again; nil where the tests may
	// not do that.
	Restart func(context.Context) error
}

// RunFaultTests breaks the connection in every way, over and over. Whenever it breaks, the
// outcome is an error of the right code and never a quiet end, the rows before it
// are the first rows, nothing holds a connection, and the next query works.
func RunFaultTests(t *testing.T, b FaultBackend) {
	for _, f := range []struct {
		name        string
		connections int // with a single one the next query needs what the fault spoilt
		run         func(*testing.T, *proxiedWarehouse)
	}{
		{"cut while idle", faultPoolSize, faultCutIdleConnection},
		{"cut before the first byte", faultPoolSize, faultCutBeforeRows},
		{"cut in mid-stream", 1, faultCutWithinRows},
		{"stall", 1, faultStalledNetwork},
		{"slow drip", faultPoolSize, faultSlowReplies},
		{"restart of the server", faultPoolSize, faultServerRestart},
	} {
		t.Run(f.name, func(t *testing.T) {
			passed, runs := 0, RunsPerFault(t)
			for i := range runs {
				if !t.Run(strconv.Itoa(i), func(t *testing.T) {
					proxy := NewFaultProxy(t, b.Address)
					e := b.Open(t, proxy.Port, f.connections)
					w := &proxiedWarehouse{FaultBackend: b, proxy: proxy, e: e, run: i, random: rand.New(rand.NewPCG(uint64(i), 17))}
					defer func() {
						if err := e.Close(); err != nil {
							t.Error(err)
						}
					}()
					w.checkQueryWorks(t) // the connection works before it breaks
					f.run(t, w)
					proxy.ClearFault()
					w.waitIdle(t)
					w.checkQueryWorks(t)
				}) {
					break
				}
				passed++
			}
			t.Attr("right", strconv.Itoa(passed))
			t.Attr("wrong", strconv.Itoa(runs-passed))
		})
	}
}

// proxiedWarehouse is a warehouse behind a proxy.
type proxiedWarehouse struct {
	FaultBackend
	proxy  *FaultProxy
	e      executor.Executor
	run    int // even and odd ones go different ways
	random *rand.Rand
}

// checkQueryWorks runs a small query.
func (w *proxiedWarehouse) checkQueryWorks(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Deadline)
	defer cancel()
	if n, err := w.readAndCheckSeries(ctx, w.Series(100), nil); n != 100 || err != nil {
		t.Fatalf("a small query: %d rows, error %v", n, err)
	}
}

// waitIdle waits until no connection carries a statement.
func (w *proxiedWarehouse) waitIdle(t *testing.T) {
	t.Helper()
	pool, ok := w.e.(executor.PoolReporter)
	if !ok {
		return
	}
	testwait.Until(t, "no connection is in use after the failure", func() bool { return pool.PoolUse().InUse == 0 })
}

// readAndCheckSeries reads a series and fails if a row is not the next integer. It calls after for every
// batch.
func (w *proxiedWarehouse) readAndCheckSeries(ctx context.Context, sql string, after func(batch int)) (n int64, err error) {
	rows, err := w.e.Query(ctx, sql)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	batches := 0
	err = executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		at, readable := newIntegerReader(batch.Column(0))
		if !readable {
			return fmt.Errorf("a column of %s", batch.Column(0).DataType())
		}
		for row := range int(batch.NumRows()) {
			if at(row) != n {
				return fmt.Errorf("row %d holds %d", n, at(row))
			}
			n++
		}
		if after != nil {
			after(batches)
		}
		batches++
		return nil
	})
	return n, err
}

// checkFailure checks how a query failed, and that it shows nothing of the server.
func (w *proxiedWarehouse) checkFailure(t *testing.T, err error, codes ...string) {
	t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || !slices.Contains(codes, e.Code) {
		t.Fatalf("got %v, want one of %v", err, codes)
	}
	ExpectError(t, err, e.Code, append([]string{strconv.Itoa(w.proxy.Port)}, w.Hidden...)...)
}

// Idle connections that have died must not fail the queries that would use them, one after the
// other.
func faultCutIdleConnection(t *testing.T, w *proxiedWarehouse) {
	var wg sync.WaitGroup
	for range faultPoolSize {
		rows := startQuery(t, w.e, w.Series(1000)) // all are open before the first is read
		wg.Go(func() {
			for {
				batch, err := rows.Next(t.Context())
				if err != nil {
					return
				}
				batch.Release()
			}
		})
	}
	wg.Wait()
	if w.run%2 == 0 {
		w.proxy.CutConnections()
	} else if w.Restart != nil {
		if err := w.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for range faultPoolSize + 1 {
		w.checkQueryWorks(t)
	}
}

func faultCutBeforeRows(t *testing.T, w *proxiedWarehouse) {
	// The server works, or is about to, and its first bytes never arrive. No new
	// connection gets through either.
	w.proxy.CutAfterReplyBytes(0)
	if w.run%2 == 0 {
		_, err := w.readAndCheckSeries(t.Context(), w.Series(1_000_000), nil)
		w.checkFailure(t, err, executor.CodeDriver, executor.CodeConnection)
		return
	}
	w.proxy.ClearFault()
	stop := w.proxy.CutConnectionsAtIntervals(slowStatementStartDelay + time.Duration(w.random.IntN(50))*time.Millisecond)
	defer stop()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Deadline)
	defer cancel()
	_, err := w.readAndCheckSeries(ctx, w.Slow, nil)
	w.checkFailure(t, err, executor.CodeDriver, executor.CodeConnection)
}

func faultCutWithinRows(t *testing.T, w *proxiedWarehouse) {
	const many = 2_000_000 // 18 MB and more, in text or in binary
	if w.run%2 == 0 {
		// At any byte of the stream, from its head to near its end.
		w.proxy.CutAfterReplyBytes(w.random.Int64N(15 << 20))
	}
	last := w.random.IntN(5)
	n, err := w.readAndCheckSeries(t.Context(), w.Series(many), func(batch int) {
		if batch == last {
			w.proxy.CutConnections()
		}
	})
	if n > 0 {
		w.checkFailure(t, err, executor.CodeDriver) // it was connected
	} else {
		w.checkFailure(t, err, executor.CodeDriver, executor.CodeConnection)
	}
	if n == many {
		t.Fatal("the stream was over before it was cut: the test shows nothing")
	}
}

func faultStalledNetwork(t *testing.T, w *proxiedWarehouse) {
	const budget = 300 * time.Millisecond
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), budget)
	defer cancel()
	stalled := w.run % 3
	if stalled == 0 {
		w.proxy.StallTraffic()
	}
	_, err := w.readAndCheckSeries(ctx, w.Series(50_000_000), func(batch int) {
		if batch == stalled {
			w.proxy.StallTraffic()
		}
	})
	w.checkFailure(t, err, executor.CodeTimeout)
	expectPromptReturn(t, begun.Add(budget))
}

func faultSlowReplies(t *testing.T, w *proxiedWarehouse) {
	w.proxy.SlowReplies(1+w.random.IntN(2000), time.Millisecond)
	if w.run%2 == 0 {
		// Slow is not broken.
		n, err := w.readAndCheckSeries(t.Context(), w.Series(1000), nil)
		if n != 1000 || err != nil {
			t.Fatalf("%d rows, error %v", n, err)
		}
		return
	}
	const budget = 200 * time.Millisecond
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), budget)
	defer cancel()
	_, err := w.readAndCheckSeries(ctx, w.Series(50_000_000), nil)
	w.checkFailure(t, err, executor.CodeTimeout)
	expectPromptReturn(t, begun.Add(budget))
}

func faultServerRestart(t *testing.T, w *proxiedWarehouse) {
	if w.Restart == nil {
		t.Skip("this server is not ours to restart")
	}
	restarted := make(chan error, 1)
	restart := func() { restarted <- w.Restart(t.Context()) }
	var n int64
	var err error
	if w.run%2 == 0 {
		time.AfterFunc(slowStatementStartDelay, restart)
		n, err = w.readAndCheckSeries(t.Context(), w.Slow, nil)
	} else {
		n, err = w.readAndCheckSeries(t.Context(), w.Series(50_000_000), func(batch int) {
			if batch == 1 {
				go restart()
			}
		})
	}
	if failed := <-restarted; failed != nil {
		t.Fatal(failed)
	}
	w.checkFailure(t, err, executor.CodeDriver, executor.CodeConnection)
	if n == 50_000_000 {
		t.Fatal("the statement was over before the restart")
	}
}
