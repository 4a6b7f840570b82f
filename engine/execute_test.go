package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
)

func TestResult_KeepsColumnOrder(t *testing.T) {
	got, err := askRows(context.Background(), shop(t), metricQuery(t, `{"metrics":["revenue","avg_order_value"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"revenue","desc":true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"region", "revenue", "avg_order_value"}, got.Columns); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(`[{"region":"east","revenue":340,"avg_order_value":85},{"region":"west","revenue":110,"avg_order_value":55}]`, string(got.Rows)); d != "" {
		t.Error(d)
	}
	body, err := (&engine.Result{Dialect: "d", SQL: "a < b", Columns: []string{"x"}, Rows: []byte(`[{"x":1}]`), RowCount: 1}).AppendJSON([]byte("> "))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`> {"dialect":"d","sql":"a < b","columns":["x"],"rows":[{"x":1}],"row_count":1}`, string(body)); d != "" {
		t.Error(d)
	}
}

func TestResult_OutputsNameMetrics(t *testing.T) {
	t.Run("outputs name the metric of each column", func(t *testing.T) {
		got, err := askSQL(context.Background(), shop(t), metricQuery(t, `{"metrics":["revenue"],"group_by":[{"field":"status"}],
		"time_ranges":{"jan":{"start":"2024-01-01","end":"2024-02-01","dimension":"orders.order_date"},"rest":{"start":"2024-02-01","dimension":"orders.order_date"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		want := []engine.MetricOutput{
			{Column: "revenue__jan", Metric: "revenue", TimeRange: "jan"},
			{Column: "revenue__rest", Metric: "revenue", TimeRange: "rest"},
		}
		if d := cmp.Diff(want, got.Outputs); d != "" {
			t.Error(d)
		}
	})
}

// slow is a model whose one metric counts for minutes.
const slow = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT hash(i) AS h FROM range(1000000000000) AS t(i)
    fields:
      - {name: h, expression: {dialects: [{dialect: ANSI_SQL, expression: h}]}}
metrics:
  - {name: distinct_values, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT a.h % 10)}]}}
  - {name: nothing, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(a.h)}]}}
`

func TestExecute_DeadlineFreesSlot(t *testing.T) {
	t.Run("a deadline ends the statement and releases the execution slot", func(t *testing.T) {
		e := open(t, engine.Config{ModelText: []byte(slow), MaxExecutions: 1})
		if err := e.OpenEmbedded(context.Background()); err != nil {
			t.Fatal(err)
		}
		deadline := newManualDeadline(t)
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := askRows(deadline, e, metricQuery(t, `{"metrics":["distinct_values"]}`)); codeOf(err) != "timeout" {
				t.Errorf("%v", err)
			}
		})
		testwait.Until(t, "the statement runs", func() bool { return e.RunningExecutions() != 0 })
		if _, err := askRows(context.Background(), e, metricQuery(t, `{"metrics":["distinct_values"]}`)); codeOf(err) != "busy" {
			t.Errorf("while the only slot was taken: %v", err)
		}
		deadline.pass()
		wg.Wait()
		testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
		ctx, cancel := context.WithTimeout(context.Background(), testwait.Deadline)
		defer cancel()
		if _, err := askRows(ctx, e, metricQuery(t, `{"metrics":["nothing"],"limit":0}`)); codeOf(err) == "busy" {
			t.Errorf("after the timeout: %v", err)
		}
	})
}

func TestExecute_ExistingFileIsReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.duckdb")
	e := open(t, engine.Config{ModelPath: "testdata/orders.yaml", DBPath: path, Setup: []string{"this is ignored with a file"}})
	q := metricQuery(t, `{"metrics":["revenue"]}`)
	_, err := askRows(context.Background(), e, q)
	if codeOf(err) != "config" {
		t.Fatalf("without the file: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file was created: %v", err)
	}
	if err := duckdb.CreateDatabase(context.Background(), path, read(t, "testdata/orders.sql")); err != nil {
		t.Fatal(err)
	}
	got, err := askRows(context.Background(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`[{"revenue":450}]`, string(got.Rows)); d != "" {
		t.Error(d)
	}
}

func TestExecute_RejectedSQLIsAnError(t *testing.T) {
	e := open(t, engine.Config{ModelPath: "testdata/orders.yaml"}) // no tables
	_, err := askRows(context.Background(), e, metricQuery(t, `{"metrics":["revenue"]}`))
	var rejected *engine.ExecuteError
	if !errors.As(err, &rejected) || rejected.Code != "sql_rejected" {
		t.Fatalf("%v", err)
	}
}

func TestExecute_ConcurrentQueriesSameBytes(t *testing.T) {
	e := shop(t)
	q := metricQuery(t, `{"metrics":["revenue","avg_order_value"],"group_by":[{"field":"customers.region"}],"where_sql":"orders.amount > 10"}`)
	first, err := askSQL(context.Background(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				again, err := askSQL(context.Background(), e, q)
				if err != nil || again.SQL != first.SQL {
					t.Errorf("%v\n%s\n%s", err, first.SQL, again.SQL)
					return
				}
			}
		})
	}
	wg.Wait()
}

// A caller that has its result can query again, even with a single execution slot.
func TestExecute_SlotFreeBeforeResult(t *testing.T) {
	t.Run("the slot is free before the caller has the result", func(t *testing.T) {
		e := open(t, engine.Config{
			ModelText: []byte(read(t, "testdata/orders.yaml")), Setup: []string{read(t, "testdata/orders.sql")}, MaxExecutions: 1,
		})
		for i := range 300 {
			if _, err := askRows(t.Context(), e, metricQuery(t, `{"metrics":["revenue"]}`)); err != nil {
				t.Fatalf("execution %d: %v", i, err)
			}
		}
	})
}
