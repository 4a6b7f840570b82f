package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/planner/query"
)

func TestSQL_PlansShareMemory(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes}) // 16 MiB for plans
	e, err := engine.Open(t.Context(), engine.Config{ModelText: []byte(bakeryModel), Memory: budget})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	plans := budget.Part(memory.Plans)
	held, err := plans.Reserve(plans.Capacity() - 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	small := &query.SQLStatement{SQL: "SELECT oven FROM batches", Dialect: "postgres"}
	medium := &query.SQLStatement{SQL: small.SQL + " /* " + strings.Repeat("x", 20<<10) + " */", Dialect: "postgres"}
	long := &query.SQLStatement{SQL: small.SQL + " /* " + strings.Repeat("x", 300<<10) + " */", Dialect: "postgres"}
	for _, test := range []struct {
		what  string
		s     *query.SQLStatement
		state string
	}{{"a small statement", small, ""}, {"a longer one", medium, "53200"}, {"one beyond the share", long, "54000"}} {
		for door, ask := range map[string]func() error{
			"compile":  func() error { _, err := askSQL(t.Context(), e, test.s); return err },
			"explain":  func() error { _, err := askPlan(t.Context(), e, test.s); return err },
			"describe": func() error { _, err := e.DescribeSQL(t.Context(), test.s, nil, nil); return err },
		} {
			state, err := "", ask()
			var limit *memory.LimitError
			if errors.As(err, &limit) {
				state = limit.SQLState()
			}
			if state != test.state || err != nil && limit == nil {
				t.Errorf("%s, %s: %q of %v, want %q", test.what, door, state, err, test.state)
			}
		}
	}
	held.Release()
	if _, err := askSQL(t.Context(), e, medium); err != nil || plans.Held() != 0 {
		t.Errorf("afterwards: %v, %d bytes held", err, plans.Held())
	}
}

func TestQueries_PlansShareMemory(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes}) // 16 MiB for plans
	e, err := engine.Open(t.Context(), engine.Config{ModelText: []byte(bakeryModel), Memory: budget})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	plans := budget.Part(memory.Plans)
	metrics := func(terms, count int) *query.MetricQuery {
		var list []string
		for i := range count {
			list = append(list, fmt.Sprintf(`{"name": "m%d", "expression": "SUM(batches.loaves%s)"}`, i, strings.Repeat(" + batches.loaves", terms)))
		}
		q, err := query.DecodeMetric([]byte(`{"dialect": "postgres", "metrics": [` + strings.Join(list, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	detail := &query.DetailQuery{Fields: []string{"batches.oven"}, Dialect: "postgres", WhereSQL: "batches.oven <> '" + strings.Repeat("x", 30<<10) + "'"}
	held, err := plans.Reserve(plans.Capacity() - 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var limit *memory.LimitError
	small, large := metrics(1, 1), metrics(90, 40)
	if _, err := askSQL(t.Context(), e, small); err != nil {
		t.Errorf("a small query: %v", err)
	}
	for what, ask := range map[string]func() error{
		"metrics":         func() error { _, err := askSQL(t.Context(), e, large); return err },
		"metrics, a plan": func() error { _, err := askPlan(t.Context(), e, large); return err },
		"rows":            func() error { _, err := askSQL(t.Context(), e, detail); return err },
		"rows, a plan":    func() error { _, err := askPlan(t.Context(), e, detail); return err },
	} {
		if err := ask(); !errors.As(err, &limit) || !limit.Retryable() {
			t.Errorf("%s: %v, want a limit of memory", what, err)
		}
	}
	held.Release()
	if _, err := askSQL(t.Context(), e, large); err != nil || plans.Held() != 0 {
		t.Errorf("afterwards: %v, %d bytes held", err, plans.Held())
	}
}
