package engine_test

import (
	"context"
	"io"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// notes records the phases that an observer receives, in the order in which they end.
type notes struct {
	mu   sync.Mutex
	open int
	done []note
}

type note struct {
	engine.PhaseInfo
	Rows int64
	Code string
}

type mark struct{}

func (n *notes) Begin(ctx context.Context, w engine.PhaseInfo) (inner context.Context, end func(engine.PhaseOutcome)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open++
	return context.WithValue(ctx, mark{}, w.Phase), func(o engine.PhaseOutcome) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.open--
		n.done = append(n.done, note{w, o.Rows, codeOf(o.Err)})
	}
}

func TestObserver_SeesEveryPhase(t *testing.T) {
	e := shop(t)
	plan := engine.PhaseInfo{Phase: engine.PhasePlan, Dialect: "duckdb"}
	execute := engine.PhaseInfo{Phase: engine.PhaseExecute, Dialect: "duckdb"}
	byStatus := metricQuery(t, `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`)
	detail := func(body string) *query.DetailQuery {
		q, err := query.DecodeDetail([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	statuses := rowsOf(t, e, byStatus)
	for _, c := range []struct {
		name string
		do   func(ctx context.Context) error
		want []note
	}{
		{"compile", func(ctx context.Context) error {
			_, err := askSQL(ctx, e, byStatus)
			return err
		}, []note{{PhaseInfo: plan}}},
		{"compile for another dialect", func(ctx context.Context) error {
			_, err := askSQL(ctx, e, metricQuery(t, `{"metrics":["revenue"],"dialect":"postgresql"}`))
			return err
		}, []note{{PhaseInfo: engine.PhaseInfo{Phase: engine.PhasePlan, Dialect: "postgres"}}}},
		{"explain", func(ctx context.Context) error {
			_, err := askPlan(ctx, e, byStatus)
			return err
		}, []note{{PhaseInfo: plan}}},
		{"a query that cannot be planned", func(ctx context.Context) error {
			_, err := askRows(ctx, e, metricQuery(t, `{"metrics":["nothing"]}`))
			return err
		}, []note{{PhaseInfo: plan, Code: "unknown_metric"}}},
		{"execute", func(ctx context.Context) error {
			_, err := askRows(ctx, e, byStatus)
			return err
		}, []note{{PhaseInfo: plan}, {PhaseInfo: execute, Rows: statuses}}},
		{"select", func(ctx context.Context) error {
			_, err := askRows(ctx, e, detail(`{"from":"orders","fields":["status"],"limit":2}`))
			return err
		}, []note{{PhaseInfo: plan}, {PhaseInfo: execute, Rows: 2}}},
		{"explain a selection", func(ctx context.Context) error {
			_, err := askPlan(ctx, e, detail(`{"from":"orders","fields":["status"]}`))
			return err
		}, []note{{PhaseInfo: plan}}},
		{"stream", func(ctx context.Context) error {
			s, err := askStream(ctx, e, byStatus)
			if err != nil {
				return err
			}
			if _, err := s.Write(ctx, io.Discard); err != nil {
				return err
			}
			_ = s.Close()
			return s.Close() // the second Close is not reported
		}, []note{{PhaseInfo: plan}, {PhaseInfo: execute, Rows: statuses}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := &notes{}
			_ = c.do(engine.WithPhaseObserver(t.Context(), n))
			if d := cmp.Diff(c.want, n.done); d != "" || n.open != 0 {
				t.Errorf("%d still open\n%s", n.open, d)
			}
		})
	}
}

func rowsOf(t *testing.T, e *engine.Engine, q *query.MetricQuery) int64 {
	t.Helper()
	r, err := askRows(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	return int64(r.RowCount)
}

func TestLoad_CountsRunningAndRejected(t *testing.T) {
	e := open(t, engine.Config{ModelPath: "testdata/orders.yaml", Setup: []string{read(t, "testdata/orders.sql")}, MaxExecutions: 1})
	if d := cmp.Diff(engine.ExecutionStats{Capacity: 1, Connections: []engine.ConnectionExecutions{{}}}, e.ExecutionStats()); d != "" {
		t.Error(d)
	}
	if got := e.Pools(); len(got) != 0 {
		t.Errorf("pools before the first execution: %v", got)
	}
	q := metricQuery(t, `{"metrics":["revenue"]}`)
	s, err := askStream(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := askRows(t.Context(), e, q); codeOf(err) != "busy" {
		t.Errorf("beside the stream: %v", err)
	}
	if d := cmp.Diff(engine.ExecutionStats{Running: 1, Capacity: 1, Refused: 1, Connections: []engine.ConnectionExecutions{{Running: 1}}}, e.ExecutionStats()); d != "" {
		t.Error(d)
	}
	pools := e.Pools()
	if len(pools) != 1 || pools[0].Dialect != "duckdb" || pools[0].Connection != "" || pools[0].InUse != 1 || pools[0].Max < 1 {
		t.Errorf("pools beside the stream: %+v", pools)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if pools := e.Pools(); len(pools) != 1 || pools[0].InUse != 0 {
		t.Errorf("pools after the stream: %+v", pools)
	}
}

// broken panics when an execution begins.
type broken struct{}

func (broken) Begin(ctx context.Context, w engine.PhaseInfo) (inner context.Context, end func(engine.PhaseOutcome)) {
	if w.Phase == engine.PhaseExecute {
		panic("an observer that is broken")
	}
	return ctx, func(engine.PhaseOutcome) {}
}

func TestObserver_PanicReleasesSlot(t *testing.T) {
	ctx := engine.WithPhaseObserver(context.Background(), broken{})
	remote := driven(t, promptWarehouse{&warehouseOf{query: func(context.Context) error { return nil }}})
	if _, err := askRows(context.Background(), remote, metricQuery(t, `{"metrics":["revenue"],"connection":"w"}`)); err == nil {
		t.Fatal("a warehouse without rows answered")
	}
	for _, tt := range []struct {
		name string
		e    *engine.Engine
		body string
	}{
		{"apart", shop(t), `{"metrics":["revenue"]}`},
		{"in place", remote, `{"metrics":["revenue"],"connection":"w"}`},
	} {
		if _, err := askRows(ctx, tt.e, metricQuery(t, tt.body)); codeOf(err) != "internal" {
			t.Errorf("%s: execute: %v", tt.name, err)
		}
		if _, err := askStream(ctx, tt.e, metricQuery(t, tt.body)); codeOf(err) != "internal" {
			t.Errorf("%s: stream: %v", tt.name, err)
		}
		if n := tt.e.RunningExecutions(); n != 0 {
			t.Errorf("%s: %d slots are gone", tt.name, n)
		}
	}
}
