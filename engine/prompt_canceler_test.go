package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// warehouseOf is a warehouse whose answer to a query is an error.
type warehouseOf struct {
	executor.Executor
	query func(ctx context.Context) error
}

func (w *warehouseOf) Query(ctx context.Context, _ string) (executor.Rows, error) {
	return nil, w.query(ctx)
}
func (w *warehouseOf) Dialect() string { return "snowflake" }
func (w *warehouseOf) Close() error    { return nil }

type promptWarehouse struct{ *warehouseOf }

func (promptWarehouse) CancelsPromptly(string) bool { return true }

// manualDeadline is a context whose deadline passes when the test calls pass: a statement that it ends has reached its
// warehouse, however long that takes.
type manualDeadline struct {
	context.Context
	passed chan struct{}
}

func newManualDeadline(t *testing.T) *manualDeadline {
	return &manualDeadline{t.Context(), make(chan struct{})}
}

func (d *manualDeadline) pass()                 { close(d.passed) }
func (d *manualDeadline) Done() <-chan struct{} { return d.passed }
func (d *manualDeadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// driven returns an engine with one connection, "w".
func driven(t *testing.T, w executor.Executor) *engine.Engine {
	profiles := filepath.Join(t.TempDir(), "connections.yaml")
	if err := os.WriteFile(profiles, []byte("datasources: {w: {type: snowflake, account: a, username: u, password: p}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, engine.Config{
		ModelPath: "testdata/orders.yaml", ConnectionsPath: profiles, MaxExecutions: 1,
		Drivers: []warehouse.Driver{{Type: "snowflake", Open: func(profile.Profile, warehouse.Options) (executor.Executor, error) { return w, nil }}},
	})
}

func TestExecute_LeavesDeafDriver(t *testing.T) {
	t.Run("the caller returns when a driver ignores its context", func(t *testing.T) {
		deaf := make(chan struct{})
		var deadline *manualDeadline
		e := driven(t, &warehouseOf{query: func(context.Context) error {
			deadline.pass()
			<-deaf
			return context.Canceled
		}})
		for _, ask := range []struct {
			name string
			run  func(context.Context) error
		}{
			{"execute", func(ctx context.Context) error {
				_, err := askRows(ctx, e, metricQuery(t, `{"metrics":["revenue"],"connection":"w"}`))
				return err
			}},
			{"stream", func(ctx context.Context) error {
				_, err := askStream(ctx, e, metricQuery(t, `{"metrics":["revenue"],"connection":"w"}`))
				return err
			}},
		} {
			deadline = newManualDeadline(t)
			if err := ask.run(deadline); codeOf(err) != "timeout" {
				t.Errorf("%s: %v", ask.name, err)
			}
			if e.RunningExecutions() != 1 {
				t.Errorf("%s: the slot came back while the warehouse worked", ask.name)
			}
			deaf <- struct{}{}
			testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
		}
	})
}

func TestSlot_FreedWhenExecutorAbandonsStatement(t *testing.T) {
	deaf := make(chan struct{})
	var deadline *manualDeadline
	e := driven(t, &warehouseOf{query: func(ctx context.Context) error {
		deadline.pass()
		<-ctx.Done()
		executor.CallAbandonFunc(ctx)
		<-deaf
		return context.Canceled
	}})
	for name, run := range map[string]func(context.Context) error{
		"execute": func(ctx context.Context) error {
			_, err := askRows(ctx, e, metricQuery(t, `{"metrics":["revenue"],"connection":"w"}`))
			return err
		},
		"stream": func(ctx context.Context) error {
			_, err := askStream(ctx, e, metricQuery(t, `{"metrics":["revenue"],"connection":"w"}`))
			return err
		},
	} {
		deadline = newManualDeadline(t)
		if err := run(deadline); codeOf(err) != "timeout" {
			t.Errorf("%s: %v", name, err)
		}
		testwait.Until(t, name+": the slot is free", func() bool { return e.RunningExecutions() == 0 })
		deaf <- struct{}{}
	}
}

func TestExecute_PromptCancelerDriverHoldsSlot(t *testing.T) {
	t.Run("a driver that cancels promptly holds its slot until the statement has ended", func(t *testing.T) {
		var e *engine.Engine
		var deadline *manualDeadline
		during := 0
		e = driven(t, promptWarehouse{&warehouseOf{query: func(ctx context.Context) error {
			during = e.RunningExecutions()
			deadline.pass()
			<-ctx.Done()
			return &executor.Error{Code: executor.CodeTimeout, Message: "cut", Err: ctx.Err()}
		}}})
		// The first execution opens the connection in a goroutine; the second reuses it.
		for range 2 {
			for _, run := range []func(context.Context) error{
				func(ctx context.Context) error {
					_, err := askRows(ctx, e, metricQuery(t, `{"metrics":["revenue"],"connection":"w"}`))
					return err
				},
				func(ctx context.Context) error {
					_, err := askStream(ctx, e, metricQuery(t, `{"metrics":["revenue"],"connection":"w"}`))
					return err
				},
			} {
				deadline = newManualDeadline(t)
				err := run(deadline)
				if codeOf(err) != "timeout" {
					t.Error(err)
				}
				testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
				if during != 1 {
					t.Errorf("%d executions while it ran", during)
				}
			}
		}
	})
}
