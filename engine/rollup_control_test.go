package engine_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
)

// reportOf returns the rows and the report of a query without its messages.
func reportOf(t *testing.T, e *engine.Engine, body string) (rows string, uses []engine.RollupUse) {
	t.Helper()
	got, err := askRows(t.Context(), e, metricQuery(t, body))
	if err != nil {
		t.Fatal(err)
	}
	return string(got.Rows), got.Rollups
}

func TestControlTable_HasTheAgesOfTables(t *testing.T) {
	for _, s := range stores(t) {
		s.load(t)
		s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{})
		s.run(t, "UPDATE monthly SET a = a * 10") // so that the rows show what was read
		e := s.open(t, byMonthAndStatus+"}")
		_, uses := reportOf(t, e, revenueBody)
		e.Close()
		if len(uses) != 1 || uses[0].Rollup == nil || uses[0].AsOf == "" {
			t.Fatalf("%s: %+v", s.kind, uses)
		}
		asOf, err := time.Parse(time.RFC3339, uses[0].AsOf)
		if err != nil {
			t.Fatal(err)
		}
		e = rolledShop(t, engine.Config{
			ConnectionsText: []byte(s.text), DefaultConnection: "w", RollupStateTime: -1, Now: func() time.Time { return asOf.Add(10 * time.Minute) },
		}, byMonthAndStatus+"}")
		for _, c := range []struct {
			most int
			rows string
		}{{700, rolledTenfold}, {601, rolledTenfold}, {598, baseRows}, {0, baseRows}} {
			body := strings.Replace(revenueBody, "}", `,"max_age":`+strconv.Itoa(c.most)+"}", 1)
			rows, uses := reportOf(t, e, body)
			if rows != c.rows || c.rows == baseRows && uses[0].WhyNot[0].Rule != "max_age" {
				t.Errorf("%s: %s: %s, %+v", s.kind, body, rows, uses)
			}
		}
		e.Close()
	}
}

const rolledTenfold = `[{"revenue":4500}]`

// A model that was edited since the last refresh reads no rows of the model before.
func TestControlTable_TableOfAnotherDefinitionServesNoQuery(t *testing.T) {
	for _, s := range stores(t) {
		s.load(t)
		rollup := byMonthAndStatus + "}"
		s.run(t, "CREATE TABLE monthly AS SELECT order_date AS m, status, amount AS a, 1 AS n FROM orders")
		states := func(rollup, definition, rule string) {
			t.Helper()
			e := s.open(t, rollup)
			defer e.Close()
			rows, uses := reportOf(t, e, revenueBody)
			if rows != baseRows || len(uses) != 1 || (rule == "") != (uses[0].Rollup != nil) || rule != "" && uses[0].WhyNot[0].Rule != rule {
				t.Errorf("%s: %s, %+v", s.kind, rows, uses)
			}
			known := e.Rollups(t.Context())[0].States
			if len(known) != 1 || !known[0].Available || known[0].Definition != definition || (known[0].AsOf == "") != (definition == describe.RollupDefinitionUnknown) {
				text, _ := json.Marshal(known)
				t.Errorf("%s: %s, want %s", s.kind, text, definition)
			}
		}
		states(rollup, describe.RollupDefinitionUnknown, "")
		s.wantRefreshed(t, rollup, engine.RollupBuilt, engine.RollupRefresh{})
		states(rollup, describe.RollupDefinitionCurrent, "")
		states(strings.Replace(rollup, `"refresh"`, `"rows": 5, "max_age": 1000000000, "description": "x", "refresh"`, 1), describe.RollupDefinitionCurrent, "")
		s.wantRefreshed(t, strings.Replace(rollup, "SUM(orders.amount)", "MIN(orders.amount)", 1), engine.RollupBuilt, engine.RollupRefresh{})
		states(rollup, describe.RollupDefinitionChanged, "definition")
	}
}
