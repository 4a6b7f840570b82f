package engine_test

import (
	"context"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// The time of a profile ends its executions in each form of result, and no others.
func TestConnectionTimeout_EndsExecutions(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(slowAndSoon), ConnectionsPath: file(t, `datasources:
  hasty: {type: duckdb, uri: ":memory:", execute_timeout_secs: 1}
`)})
	forever := &query.MetricQuery{Metrics: []string{"forever"}, Connection: "hasty"}
	if _, err := askRows(t.Context(), e, forever); !isTimeout(err) {
		t.Error(err)
	}
	statement, err := e.Prepare(t.Context(), forever)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := statement.Stream(context.WithoutCancel(t.Context())); !isTimeout(err) {
		t.Error(err)
	}
	if _, err := askRows(t.Context(), e, &query.MetricQuery{Metrics: []string{"soon"}, Connection: "hasty"}); err != nil {
		t.Error(err)
	}
}
