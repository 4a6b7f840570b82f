package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

const freshMonthly = `{"name": "monthly", "of": "orders", "group_by": [{"field": "orders.order_date", "grain": "month", "column": "m"}, {"field": "orders.status", "column": "status"}, {"field": "orders.customer_id", "column": "c"}],
 "measures": [{"expression": "SUM(orders.amount)", "column": "a"}, {"expression": "COUNT(*)", "column": "n"}, {"expression": "COUNT(orders.order_id)", "column": "i"}], "refresh": {"partition": "month", "lookback": 1, "fresh": true}}`

// Rows that came after the refresh are in the result from the cut on, once each. Before the cut, and without a time, the rows are those of the table.
func TestFreshRows_AreReadFromTheCutOn(t *testing.T) {
	for _, s := range storesThatSwap(t) {
		s.load(t)
		s.run(t, "INSERT INTO orders VALUES (7, 1, 10, NULL, 'lost', 5)")
		s.wantRefreshed(t, freshMonthly, engine.RollupBuilt, engine.RollupRefresh{}) // whose cut is in February
		s.run(t, "INSERT INTO orders VALUES (8, 2, 10, '2024-02-01', 'completed', 1000)", "INSERT INTO orders VALUES (9, 3, 10, '2024-05-02', 'lost', 2000)")
		for _, body := range []string{
			revenueBody, perMonth, perStatus,
			`{"metrics":["order_count","avg_order_value","unique_customers"]}`,
			`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}]}`,
			`{"metrics":["revenue"],"where_sql":"orders.status = 'lost'"}`,
			`{"metrics":["revenue"],"time_range":{"start":"2024-01-01","end":"2024-02-01"}}`,
			`{"metrics":["revenue"],"time_range":{"start":"2024-01-01","end":"2024-03-01"}}`,
			`{"metrics":["revenue"],"time_range":{"start":"2024-03-01"}}`,
			`{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"metric_time__month"}],"time_ranges":{"a":{"start":"2024-01-01","end":"2024-03-01"},"b":{"start":"2024-03-01"}}}`,
			`{"distinct":true,"from":"orders","group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`,
		} {
			s.askBoth(t, freshMonthly, body)
		}
		s.run(t, "UPDATE monthly SET a = a + 100000 WHERE m IS NULL OR m < '2024-02-01'", "UPDATE monthly SET a = 0 WHERE m >= '2024-02-01'")
		e := s.open(t, freshMonthly)
		rows, uses := reportOf(t, e, revenueBody)
		e.Close()
		// 5 without a time and 150 of January, with two numbers that were changed by hand; 1300 of February and March; 2000 of May.
		if rows != `[{"revenue":203455}]` || len(uses) != 1 || uses[0].AsOf != "2026-01-01T12:10:00Z" {
			t.Errorf("%s: %s, %+v", s.kind, rows, uses)
		}
	}
}

func TestFreshRows_NeedTheRecordOfARefresh(t *testing.T) {
	for _, s := range stores(t) {
		s.load(t)
		s.run(t, "CREATE TABLE monthly AS SELECT order_date AS m, status, customer_id AS c, amount AS a, 1 AS n, 1 AS i FROM orders")
		e := s.open(t, freshMonthly)
		rows, uses := reportOf(t, e, revenueBody)
		if rows != baseRows || uses[0].Rollup != nil || uses[0].WhyNot[0].Rule != "unavailable" {
			t.Errorf("%s: %s, %+v", s.kind, rows, uses)
		}
		e.Close()
	}
}

func TestFreshRows_AreAsOldAsTheirExecution(t *testing.T) {
	s := stores(t)[1]
	s.load(t)
	s.wantRefreshed(t, freshMonthly, engine.RollupBuilt, engine.RollupRefresh{})
	e := rolledShop(t, engine.Config{ConnectionsText: []byte(s.text), DefaultConnection: "w", Now: func() time.Time { return time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC) }}, freshMonthly)
	q := metricQuery(t, `{"metrics":["revenue"],"max_age":1}`)
	only := query.RollupsOnly
	q.Rollups = &only
	if got, err := askRows(t.Context(), e, q); err != nil || got.Rollups[0].AsOf != "2100-01-01T00:00:00Z" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A result with fresh rows is kept as any other, and reports when its rows were read. A refresh makes another statement.
func TestFreshRows_AreKeptWithTheTimeOfTheirStatement(t *testing.T) {
	s := stores(t)[1]
	s.load(t)
	s.wantRefreshed(t, freshMonthly, engine.RollupBuilt, engine.RollupRefresh{})
	now := time.Now().UTC().Truncate(time.Second)
	e := rolledShop(t, engine.Config{
		ConnectionsText: []byte(s.text), DefaultConnection: "w", RollupStateTime: -1, CacheMiB: 1, CacheTTL: time.Hour, Now: func() time.Time { return now },
	}, freshMonthly)
	began := now
	ask := func(what, body, outcome, rows string, at time.Time) {
		t.Helper()
		ctx, use := engine.WithCacheUse(t.Context())
		r, err := askRows(ctx, e, metricQuery(t, body))
		if err != nil {
			t.Fatal(err)
		}
		if use.Outcome() != outcome || string(r.Rows) != rows || len(r.Rollups) != 1 || r.Rollups[0].AsOf != at.Format(time.RFC3339) {
			t.Errorf("%s: %s %s %+v, want %s %s of %s", what, use.Outcome(), r.Rows, r.Rollups, outcome, rows, at)
		}
	}
	const counted = `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}],"limit":1,"count":true}`
	ask("first", revenueBody, "miss", `[{"revenue":450}]`, began)
	ask("first with its number", counted, "miss", `[{"status":"cancelled","revenue":100}]`, began)
	s.run(t, "INSERT INTO orders VALUES (8, 2, 10, '2024-05-01', 'completed', 1000)")
	now = now.Add(5 * time.Minute)
	ask("kept", revenueBody, "hit", `[{"revenue":450}]`, began)
	ask("kept with its number", counted, "hit", `[{"status":"cancelled","revenue":100}]`, began)
	later := now
	attribute, err := query.DecodeAttribute([]byte(`{"metric":"revenue","dimensions":["orders.status"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		report, err := e.Attribute(t.Context(), attribute)
		if err != nil || len(report.Rollups) == 0 || report.Rollups[0].AsOf != later.Format(time.RFC3339) {
			t.Errorf("%+v, %v", report, err)
		}
		now = now.Add(time.Minute)
	}
	s.wantRefreshed(t, freshMonthly, engine.RollupUpdated, engine.RollupRefresh{})
	ask("refreshed", revenueBody, "miss", `[{"revenue":1450}]`, now)
	began, now = now, now.Add(time.Minute)
	ask("kept again", revenueBody, "hit", `[{"revenue":1450}]`, began)
}

// Readers with rules read the base tables.
func TestFreshRows_AreNotReadForReadersWithRules(t *testing.T) {
	const policies = `version: 1
attributes: {region: {type: string}}
roles:
  one: {datasets: {orders: {rows: "status = :user.region", fields: all}}, metrics: all, connections: all}
`
	s := stores(t)[1]
	s.load(t)
	s.wantRefreshed(t, freshMonthly, engine.RollupBuilt, engine.RollupRefresh{})
	e := rolledShop(t, engine.Config{ConnectionsText: []byte(s.text), DefaultConnection: "w", PoliciesPath: "policies.yaml", PoliciesText: []byte(policies)}, freshMonthly)
	r, err := e.AsClaims(t.Context(), access.Claims{Name: "one", Roles: []string{"one"}, Attributes: map[string]any{"region": "cancelled"}})
	if err != nil {
		t.Fatal(err)
	}
	wantRolled(t, r, revenueBody, `[{"revenue":100}]`, strings.Replace(baseBy("policy"), "by_status", "monthly", 1))
}
