package engine

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// remembering opens the model of the six orders, keeping so many statements.
func remembering(t *testing.T, kept int) *Engine {
	t.Helper()
	e, err := Open(t.Context(), Config{ModelPath: "testdata/orders.yaml", StatementCache: kept})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func compiledMetrics(t *testing.T, e *Engine, body string) *Compiled {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	c, err := askSQL(t.Context(), e, q)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return c
}

// alike are queries that differ in one thing each.
var alike = []string{
	`{"metrics":["revenue"]}`,
	`{"metrics":["revenue"],"pretty":true}`,
	`{"metrics":["revenue"],"dialect":"mysql"}`,
	`{"metrics":["revenue"],"dialect":"mariadb"}`,
	`{"metrics":["revenue"],"limit":1}`,
	`{"metrics":["revenue"],"limit":2}`,
	`{"metrics":["revenue"],"where_sql":"orders.status = 'completed'"}`,
	`{"metrics":["revenue"],"context_filter":"orders.status = 'completed'"}`,
	`{"metrics":["revenue"],"time_range":{"start":"2024-01-01"}}`,
	`{"metrics":["revenue"],"time_range":{"end":"2024-01-01"}}`,
	`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"revenue"}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"revenue","desc":true}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"orders.order_date"}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"orders.order_date","grain":"month"}]}`,
	`{"metrics":["order_count","revenue"]}`,
	`{"metrics":["revenue","order_count"]}`,
}

func TestStatementCache_SameAsFreshPlan(t *testing.T) {
	t.Run("a cached statement equals a newly planned one", func(t *testing.T) {
		keeps, forgets := remembering(t, 0), remembering(t, -1)
		for turn := range 3 {
			for _, body := range alike {
				if diff := cmp.Diff(compiledMetrics(t, forgets, body), compiledMetrics(t, keeps, body)); diff != "" {
					t.Errorf("turn %d, %s (-anew +again):\n%s", turn, body, diff)
				}
			}
		}
		if got := keeps.statements.cache.Len(); got != len(alike) {
			t.Errorf("%d statements are kept, want one for each of %d queries", got, len(alike))
		}
		if forgets.statements.cache != nil {
			t.Error("statements are kept that should not be")
		}
	})
}

func TestStatementCache_MutatedQueryIsNew(t *testing.T) {
	t.Run("a query that its caller changes afterwards is another query", func(t *testing.T) {
		e := remembering(t, 0)
		q := &query.MetricQuery{Metrics: []string{"revenue"}}
		for _, metric := range []string{"revenue", "order_count", "revenue"} {
			q.Metrics[0] = metric
			c, err := askSQL(t.Context(), e, q)
			if err != nil {
				t.Fatal(err)
			}
			if c.Outputs[0].Metric != metric {
				t.Errorf("asked for %s, got %+v", metric, c.Outputs)
			}
		}
	})
}

// Both planes, and executions, take their statements from the same list.
func TestStatementCache_ExecutesOwnStatement(t *testing.T) {
	e, err := Open(t.Context(), Config{ModelPath: "testdata/orders.yaml", Drivers: []warehouse.Driver{duckdb.Driver()}, Setup: []string{
		"CREATE TABLE orders AS SELECT i AS order_id, 1 AS customer_id, 1 AS product_id, DATE '2024-01-01' AS order_date, 'completed' AS status, i * 10 AS amount FROM range(1, 4) t(i)",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	limit := int64(1)
	for range 3 {
		for want, q := range map[string]*query.MetricQuery{
			`[{"revenue":60}]`:    {Metrics: []string{"revenue"}},
			`[{"order_count":3}]`: {Metrics: []string{"order_count"}},
			`[{"revenue":50}]`:    {Metrics: []string{"revenue"}, WhereSQL: "orders.order_id > 1"},
		} {
			got, err := askRows(t.Context(), e, q)
			if err != nil || string(got.Rows) != want {
				t.Errorf("%+v: %v %v, want %s", q, got, err, want)
			}
		}
		for want, q := range map[string]*query.DetailQuery{
			`[{"amount":10}]`:               {From: "orders", Fields: []string{"amount"}, OrderBy: []query.OrderBy{{Key: "amount"}}, Limit: &limit},
			`[{"amount":20},{"amount":30}]`: {From: "orders", Fields: []string{"amount"}, OrderBy: []query.OrderBy{{Key: "amount"}}, WhereSQL: "order_id > 1"},
		} {
			got, err := askRows(t.Context(), e, q)
			if err != nil || string(got.Rows) != want {
				t.Errorf("%+v: %v %v, want %s", q, got, err, want)
			}
		}
	}
	if got := e.statements.cache.Len(); got != 5 {
		t.Errorf("%d statements are kept, want 5", got)
	}
}

func TestStatementCache_BoundedCount(t *testing.T) {
	e := remembering(t, 2)
	for _, body := range alike {
		compiledMetrics(t, e, body)
	}
	if got := e.statements.cache.Len(); got != 2 {
		t.Errorf("%d statements are kept, want 2", got)
	}
}

func TestStatementCache_SkipsLongStatement(t *testing.T) {
	e := remembering(t, 0)
	compiledMetrics(t, e, `{"metrics":["revenue"],"where_sql":"orders.status = '`+strings.Repeat("x", maxCachedStatementBytes)+`'"}`)
	if got := e.statements.cache.Len(); got != 0 {
		t.Errorf("%d statements are kept", got)
	}
}

func TestStatementCache_SkipsErrors(t *testing.T) {
	e := remembering(t, 0)
	for range 2 {
		_, err := askSQL(t.Context(), e, &query.MetricQuery{Metrics: []string{"revenu"}})
		var refused *planerr.Error
		if !errors.As(err, &refused) {
			t.Fatalf("%v", err)
		}
	}
	if got := e.statements.cache.Len(); got != 0 {
		t.Errorf("%d statements are kept", got)
	}
}

func TestStatementCache_ConcurrentCallersGetOwn(t *testing.T) {
	t.Run("concurrent callers do not share a result", func(t *testing.T) {
		e := remembering(t, 4)
		want := make([]*Compiled, len(alike))
		for i, body := range alike {
			want[i] = compiledMetrics(t, remembering(t, -1), body)
		}
		var all sync.WaitGroup
		for worker := range 8 {
			all.Go(func() {
				for n := range 200 {
					i := (worker*7 + n*5) % len(alike)
					q, err := query.DecodeMetric([]byte(alike[i]))
					if err != nil {
						t.Error(err)
						return
					}
					got, err := askSQL(context.Background(), e, q)
					if err != nil || got.SQL != want[i].SQL {
						t.Errorf("%s: %v %v", alike[i], got, err)
						return
					}
					got.Outputs[0].Column = "mine" // the caller owns the result
				}
			})
		}
		all.Wait()
	})
}

// alikeStatements are statements in SQL that differ in one thing each.
func alikeStatements() []*query.SQLStatement {
	const text = "SELECT status, SUM(amount) AS total FROM orders GROUP BY 1"
	one, two, never, age := int64(1), int64(2), query.RollupsOff, int64(60)
	return []*query.SQLStatement{
		{SQL: text},
		{SQL: text + " "},
		{SQL: text, ContextFilter: "orders.status = 'completed'"},
		{SQL: text, TimeZone: "Europe/Berlin"},
		{SQL: text, Dialect: "postgres"},
		{SQL: text, Pretty: true},
		{SQL: text, MaxRows: &one},
		{SQL: text, MaxRows: &two},
		{SQL: text, Rollups: &never},
		{SQL: text, MaxAge: &age},
		{SQL: "SELECT SUM(amount) AS total FROM orders WHERE order_id > $1", Params: []query.ParamValue{{Kind: query.NumberValue, Text: "1"}}},
		{SQL: "SELECT SUM(amount) AS total FROM orders WHERE order_id > $1", Params: []query.ParamValue{{Kind: query.NumberValue, Text: "2"}}},
		{SQL: "SELECT SUM(amount) AS total FROM orders WHERE status = $1", Params: []query.ParamValue{{Kind: query.StringValue, Text: "1"}}},
	}
}

func TestStatementCache_SQLIsAsNewlyPlanned(t *testing.T) {
	keeps, forgets := remembering(t, 0), remembering(t, -1)
	marshal := func(e *Engine, s *query.SQLStatement) string {
		c, err := askSQL(t.Context(), e, s)
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		text, err := MarshalWireJSON(c)
		if err != nil {
			t.Fatal(err)
		}
		c.Statement.Columns[0].Name = "mine" // the caller owns the result
		return string(text)
	}
	for turn := range 3 {
		for _, s := range alikeStatements() {
			if diff := cmp.Diff(marshal(forgets, s), marshal(keeps, s)); diff != "" {
				t.Errorf("turn %d, %+v (-anew +again):\n%s", turn, s, diff)
			}
		}
	}
	if got, want := keeps.statements.cache.Len(), len(alikeStatements()); got != want {
		t.Errorf("%d statements are kept, want one for each of %d", got, want)
	}
}

// A statement without parameters that was described is not planned again; its columns may have one name.
func TestStatementCache_DescribedStatementIsKept(t *testing.T) {
	e := remembering(t, 0)
	s := &query.SQLStatement{SQL: "SELECT status, status FROM orders"}
	d, err := e.DescribeSQL(t.Context(), s, nil, nil)
	if err != nil || len(d.Columns) != 2 || len(d.Params) != 0 {
		t.Fatal(d, err)
	}
	if got := e.statements.cache.Len(); got != 1 {
		t.Errorf("%d statements are kept", got)
	}
	for range 2 {
		if _, err := askSQL(t.Context(), e, PositionalSQL{SQLStatement: s}); err != nil {
			t.Fatal(err)
		}
		var refused *SQLError
		if _, err := askRows(t.Context(), e, s); !errors.As(err, &refused) || refused.Code != string(planerr.CodeDuplicateOutputName) {
			t.Errorf("rows as objects: %v", err)
		}
	}
	if got := e.statements.cache.Len(); got != 1 {
		t.Errorf("%d statements are kept", got)
	}
}

// A statement holds the day of its zone, so that it is another one on the next day.
func TestStatementCache_SkipsSQLThatHoldsTheClock(t *testing.T) {
	now := time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)
	e, err := Open(t.Context(), Config{ModelPath: "testdata/orders.yaml", Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, day := range []string{"2026-03-02", "2026-03-03"} { // in Berlin
		for _, text := range []string{
			"SELECT order_id FROM orders WHERE order_date < CURRENT_DATE",
			"SELECT COUNT(*) AS n FROM orders HAVING MAX(order_date) < CURRENT_DATE",
			"SELECT n FROM (SELECT COUNT(*) AS n, MAX(order_date) AS d FROM orders) t WHERE d < CURRENT_DATE",
		} {
			c, err := askSQL(t.Context(), e, &query.SQLStatement{SQL: text, TimeZone: "Europe/Berlin"})
			if err != nil || !strings.Contains(c.SQL, day) {
				t.Errorf("%s: %v %v, want %s in it", text, c, err, day)
			}
		}
		now = now.AddDate(0, 0, 1)
	}
	if got := e.statements.cache.Len(); got != 0 {
		t.Errorf("%d statements are kept", got)
	}
}
