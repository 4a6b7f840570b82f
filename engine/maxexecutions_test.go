package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
)

// slowAndSoon has a metric that takes longer than any test and one that is there at once.
const slowAndSoon = `
version: 0.2.0.dev0
name: m
datasets:
  - name: pairs
    source: SELECT a.range * b.range % 7 AS x FROM range(10000000) AS a, range(10000000) AS b
    fields: [{name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]
  - name: one
    source: SELECT 1 AS y
    fields: [{name: y, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: y}]}}]
metrics:
  - {name: forever, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pairs.x)}]}}
  - {name: soon, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(one.y)}]}}
`

func TestMaxExecutions_AFullConnectionLeavesSlotsToOthers(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(slowAndSoon), MaxExecutions: 4, ConnectionsPath: file(t, `datasources:
  slow: {type: duckdb, uri: ":memory:", max_executions: 2}
  other: {type: duckdb, uri: ":memory:"}
`)})
	ask := func(ctx context.Context, metric, connection string) error {
		_, err := askRows(ctx, e, &query.MetricQuery{Metrics: []string{metric}, Connection: connection})
		return err
	}
	waits, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 2)
	for range 2 {
		go func() { ended <- ask(waits, "forever", "slow") }()
	}
	testwait.Until(t, "both slow executions run", func() bool { return e.RunningExecutions() == 2 })
	running := func(want ...engine.ConnectionExecutions) {
		t.Helper()
		if diff := cmp.Diff(want, e.ExecutionStats().Connections); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	running(engine.ConnectionExecutions{}, engine.ConnectionExecutions{Connection: "slow", Running: 2}, engine.ConnectionExecutions{Connection: "other"})
	refused := e.ExecutionStats().Refused
	err := ask(t.Context(), "soon", "slow")
	if codeOf(err) != "busy" || !strings.Contains(err.Error(), "all 2 execution slots of the connection slow are in use") {
		t.Errorf("a third execution on the connection: %v", err)
	}
	if _, err := askStream(t.Context(), e, &query.MetricQuery{Metrics: []string{"soon"}, Connection: "slow"}); codeOf(err) != "busy" {
		t.Errorf("a stream of the connection: %v", err)
	}
	if got := e.ExecutionStats().Refused - refused; got != 2 {
		t.Errorf("%d executions are counted as refused, want 2", got)
	}
	for _, connection := range []string{"other", ""} {
		if err := ask(t.Context(), "soon", connection); err != nil {
			t.Errorf("an execution on %q: %v", connection, err)
		}
	}
	cancel()
	for range 2 {
		if err := <-ended; codeOf(err) != "timeout" {
			t.Errorf("%v", err)
		}
	}
	testwait.Until(t, "the slots are free", func() bool { return e.RunningExecutions() == 0 })
	running(engine.ConnectionExecutions{}, engine.ConnectionExecutions{Connection: "slow"}, engine.ConnectionExecutions{Connection: "other"})
	if err := ask(t.Context(), "soon", "slow"); err != nil {
		t.Errorf("after the slow executions: %v", err)
	}
}

// A query that finds no slot of the engine gives the slot of its connection back.
func TestMaxExecutions_TheBoundOfTheEngineHoldsAsWell(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(slowAndSoon), MaxExecutions: 1, ConnectionsPath: file(t, `datasources:
  small: {type: duckdb, uri: ":memory:", max_executions: 1}
`)})
	waits, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := askRows(waits, e, &query.MetricQuery{Metrics: []string{"forever"}})
		ended <- err
	}()
	testwait.Until(t, "the slow execution runs", func() bool { return e.RunningExecutions() == 1 })
	soon := &query.MetricQuery{Metrics: []string{"soon"}, Connection: "small"}
	for range 2 {
		if _, err := askRows(t.Context(), e, soon); codeOf(err) != "busy" || strings.Contains(err.Error(), "small") {
			t.Errorf("%v", err)
		}
	}
	cancel()
	<-ended
	testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
	if _, err := askRows(t.Context(), e, soon); err != nil {
		t.Error(err)
	}
}
