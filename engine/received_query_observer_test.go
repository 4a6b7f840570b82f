package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// questions keeps what an observer learns of queries.
type questions struct {
	notes
	mu    sync.Mutex
	asked []engine.ObservedQuery
}

func (q *questions) QueryReceived(_ context.Context, asked engine.ObservedQuery) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked = append(q.asked, asked)
}

func TestQuestionObserver_SeesTargetOfFailedQuery(t *testing.T) {
	e := connected(t, several)
	metric := func(body string) func(context.Context) {
		q := metricQuery(t, body)
		return func(ctx context.Context) { _, _ = askRows(ctx, e, q) }
	}
	for name, c := range map[string]struct {
		ask  func(context.Context)
		want engine.ObservedQuery
	}{
		"a query":                  {metric(`{"metrics":["total","haunted"]}`), engine.ObservedQuery{Plane: "metric", Metrics: []string{"total", "haunted"}, Dialect: "duckdb"}},
		"of a connection":          {metric(`{"metrics":["total"],"connection":"memory"}`), engine.ObservedQuery{Plane: "metric", Metrics: []string{"total"}, Dialect: "duckdb", Connection: "memory"}},
		"of a broken connection":   {metric(`{"metrics":["total"],"connection":"unset"}`), engine.ObservedQuery{Plane: "metric", Metrics: []string{"total"}, Dialect: "mysql", Connection: "unset"}},
		"of an unknown connection": {metric(`{"metrics":["total"],"connection":"no such"}`), engine.ObservedQuery{Plane: "metric", Metrics: []string{"total"}}},
		"an unknown metric":        {metric(`{"metrics":["secret","total"]}`), engine.ObservedQuery{Plane: "metric", Metrics: []string{"total"}, Dialect: "duckdb"}},
		"compile": {func(ctx context.Context) {
			_, _ = askSQL(ctx, e, &query.MetricQuery{Metrics: []string{"total"}, Connection: "pg"})
		}, engine.ObservedQuery{Plane: "metric", Metrics: []string{"total"}, Dialect: "postgres", Connection: "pg"}},
		"a detail query": {func(ctx context.Context) {
			_, _ = askRows(ctx, e, &query.DetailQuery{From: "sales", Fields: []string{"amount"}, Connection: "memory"})
		}, engine.ObservedQuery{Plane: "detail", Dialect: "duckdb", Connection: "memory"}},
		"an attribution": {func(ctx context.Context) {
			_, _ = e.Attribute(ctx, &query.AttributeQuery{Metric: "total", Connection: "memory"})
		}, engine.ObservedQuery{Plane: "attribution", Metrics: []string{"total"}, Dialect: "duckdb", Connection: "memory"}},
	} {
		t.Run(name, func(t *testing.T) {
			var o questions
			c.ask(engine.WithPhaseObserver(t.Context(), &o))
			if d := cmp.Diff([]engine.ObservedQuery{c.want}, o.asked); d != "" {
				t.Error(d)
			}
		})
	}
}
