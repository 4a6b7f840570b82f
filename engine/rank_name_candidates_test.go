package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// unlikeNames is a model whose synonyms are spelt unlike any name. Shipments are of no order.
const unlikeNames = `
version: 0.2.0.dev0
name: m
datasets:
  - name: orders
    source: orders
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: channel, ai_context: {synonyms: [sales outlet]}, expression: {dialects: [{dialect: ANSI_SQL, expression: channel}]}}
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
  - name: shipments
    source: shipments
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: outlets, expression: {dialects: [{dialect: ANSI_SQL, expression: outlets}]}}
metrics:
  - {name: takings, ai_context: {synonyms: [gross income]}, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.id)}]}}
  - {name: parcels, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(shipments.id)}]}}
  - {name: broken_outlet, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.nosuch)}]}}
`

// Names in statements are found by synonyms, as in queries, and are columns of the relations that the statement names.
func TestCandidates_OfStatementsAreFoundBySynonym(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(unlikeNames)})
	for _, c := range []struct{ sql, code, first string }{
		{"SELECT outlet, MEASURE(takings) FROM orders GROUP BY 1", "unknown_column", "channel"},
		{"SELECT sales_outlet, MEASURE(takings) FROM m GROUP BY 1", "unknown_column", "channel"},
		{"SELECT o.outlet FROM (SELECT * FROM orders) o", "unknown_column", "channel"},
		{"SELECT MEASURE(income) FROM orders", "unknown_metric", "takings"},
		{"SELECT MEASURE(gross_income) FROM m", "unknown_metric", "takings"},
	} {
		_, err := askSQL(t.Context(), e, &query.SQLStatement{SQL: c.sql})
		var refused *engine.SQLError
		if !errors.As(err, &refused) || refused.Code != c.code || len(refused.Candidates) == 0 || refused.Candidates[0] != c.first {
			t.Errorf("%s: %v %+v", c.sql, err, refused)
			continue
		}
		if slices.Contains(refused.Candidates, "broken_outlet") {
			t.Errorf("%s: a metric that does not compile is offered: %q", c.sql, refused.Candidates)
		}
		_, described := e.DescribeSQL(t.Context(), &query.SQLStatement{SQL: c.sql}, nil, nil)
		var again *engine.SQLError
		if !errors.As(described, &again) || !cmp.Equal(again.Candidates, refused.Candidates) {
			t.Errorf("%s: described with other candidates: %v", c.sql, described)
		}
	}
}

// A field of shipments is spelt more like the unknown name, and no metric of orders can be grouped by it.
func TestCandidates_ThatFitTheMetricsOfTheQueryComeFirst(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(unlikeNames)})
	for metric, want := range map[string]string{"takings": "orders.channel", "parcels": "shipments.outlets"} {
		_, err := askSQL(t.Context(), e, &query.MetricQuery{Metrics: []string{metric}, GroupBy: []query.GroupBy{{Field: "outlet"}}})
		var refused *planerr.Error
		if !errors.As(err, &refused) || len(refused.Candidates) == 0 || refused.Candidates[0] != want {
			t.Fatalf("%s: %v %+v", metric, err, refused)
		}
		fits := func(field string) bool {
			_, err := askSQL(t.Context(), e, &query.MetricQuery{Metrics: []string{metric}, GroupBy: []query.GroupBy{{Field: field}}})
			return err == nil
		}
		for i, candidate := range refused.Candidates[1:] {
			if fits(candidate) && !fits(refused.Candidates[i]) {
				t.Errorf("%s: %s fits and comes after %s: %q", metric, candidate, refused.Candidates[i], refused.Candidates)
			}
		}
	}
}
