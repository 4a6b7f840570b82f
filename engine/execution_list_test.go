package engine_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

// listing opens warehouses that list executions, and an engine of slowAndSoon.
func listing(t *testing.T, c engine.Config) (*engine.Warehouses, *engine.Engine) {
	t.Helper()
	w, err := engine.OpenWarehouses(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	e, err := w.OpenModel(t.Context(), "shop/slow.yaml", []byte(slowAndSoon))
	if err != nil {
		t.Fatal(err)
	}
	return w, e
}

// isTimeout reports whether an error has the code that the client of an ended execution gets.
func isTimeout(err error) bool {
	var coded engine.CodedError
	return errors.As(err, &coded) && coded.ErrorCode() == "timeout"
}

func TestExecutions_AreListedAndEnded(t *testing.T) {
	w, e := listing(t, engine.Config{ListExecutions: true, MaxExecutions: 1, QueueLength: 4, Drivers: []warehouse.Driver{duckdb.Driver()}})
	wait := 60_000
	ask := func(id string) <-chan error {
		ended := make(chan error, 1)
		ctx := engine.WithSurface(engine.WithQueryID(access.WithQuota(t.Context(), access.Quota{Limits: access.Limits{QueueMS: &wait}}), id), "rest")
		go func() {
			_, err := askRows(ctx, e, &query.MetricQuery{Metrics: []string{"forever"}})
			ended <- err
		}()
		return ended
	}
	states := func() map[string]string {
		out := map[string]string{}
		for _, x := range w.Executions() {
			out[x.QueryID] = x.State
		}
		return out
	}
	first := ask("first")
	testwait.Until(t, "the first execution runs", func() bool { return states()["first"] == engine.ExecutionRunning })
	second := ask("second")
	testwait.Until(t, "the second execution waits", func() bool { return states()["second"] == engine.ExecutionQueued })
	third := ask("third")
	testwait.Until(t, "the third execution waits", func() bool { return len(w.Executions()) == 3 })
	one := w.Executions()[0]
	one.AgeMS = 0
	if d := cmp.Diff(engine.RunningExecution{QueryID: "first", Model: "slow", Surface: "rest", State: engine.ExecutionRunning}, one); d != "" {
		t.Error(d)
	}
	// One that waits ends without a slot, one that runs gives its slot to the next.
	if n := w.CancelExecution("third"); n != 1 {
		t.Error(n)
	}
	if err := testwait.Receive(t, "the end of the third execution", third); !isTimeout(err) {
		t.Error(err)
	}
	if n := w.CancelExecution("first"); n != 1 {
		t.Error(n)
	}
	if err := testwait.Receive(t, "the end of the first execution", first); !isTimeout(err) {
		t.Error(err)
	}
	testwait.Until(t, "the second execution runs", func() bool { return states()["second"] == engine.ExecutionRunning })
	w.CancelExecution("second")
	if err := testwait.Receive(t, "the end of the second execution", second); !isTimeout(err) {
		t.Error(err)
	}
	testwait.Until(t, "no execution is listed", func() bool { return len(w.Executions()) == 0 })
	for _, id := range []string{"first", "nothing", ""} {
		if n := w.CancelExecution(id); n != 0 {
			t.Errorf("%q: %d", id, n)
		}
	}
}

// A stream is listed until it is closed, and an operator ends it between two batches.
func TestExecutions_StreamsEnd(t *testing.T) {
	w, e := listing(t, engine.Config{ListExecutions: true, Drivers: []warehouse.Driver{duckdb.Driver()}})
	ctx := engine.WithQueryID(t.Context(), "stream")
	statement, err := e.Prepare(ctx, &query.MetricQuery{Metrics: []string{"soon"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := statement.Stream(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if all := w.Executions(); len(all) != 1 || all[0].QueryID != "stream" {
		t.Errorf("%v", all)
	}
	if n := w.CancelExecution("stream"); n != 1 {
		t.Error(n)
	}
	if _, err := s.Write(context.WithoutCancel(ctx), io.Discard); !isTimeout(err) {
		t.Error(err)
	}
	_ = s.Close()
	if all := w.Executions(); len(all) != 0 {
		t.Errorf("%v", all)
	}
}

// The time to the first rows bounds opening a stream, and not reading it.
func TestExecutions_StreamsOutliveTheTimeToTheirFirstRows(t *testing.T) {
	_, e := listing(t, engine.Config{ListExecutions: true, Drivers: []warehouse.Driver{duckdb.Driver()}})
	ctx, cancel := context.WithCancel(engine.WithQueryID(t.Context(), "stream"))
	statement, err := e.Prepare(ctx, &query.MetricQuery{Metrics: []string{"soon"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := statement.Stream(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cancel()
	if rows, err := s.Write(t.Context(), io.Discard); rows != 1 || err != nil {
		t.Error(rows, err)
	}
}

func TestExecutions_AreNotListedByDefault(t *testing.T) {
	w, e := listing(t, engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}})
	ctx := engine.WithQueryID(t.Context(), "a")
	if _, err := askRows(ctx, e, &query.MetricQuery{Metrics: []string{"soon"}}); err != nil {
		t.Fatal(err)
	}
	if all := w.Executions(); len(all) != 0 || w.CancelExecution("a") != 0 {
		t.Errorf("%v", all)
	}
}
