package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner/planerr"
)

// wantChecked checks the rollups of a store; found is a part of the message, "" where nothing differs.
func (s store) wantChecked(t *testing.T, rollups, found string) {
	t.Helper()
	e := s.open(t, rollups)
	defer e.Close()
	_, err := e.CheckRollups(t.Context(), engine.RollupCheck{Connection: "w"})
	if found == "" {
		if err != nil {
			t.Errorf("%s: %v", s.kind, err)
		}
		return
	}
	var mismatch *planerr.Error
	if !errors.As(err, &mismatch) || mismatch.Code != planerr.CodeRollupMismatch || !strings.Contains(mismatch.Message, found) {
		t.Errorf("%s: %v, want %s", s.kind, err, found)
	}
}

// Each difference that is planted is found, and its repair leaves none.
func TestCheck_FindsEachDifference(t *testing.T) {
	const rollup = `{"name": "monthly", "of": "orders", "group_by": [{"field": "orders.order_date", "grain": "month", "column": "m"}, {"field": "orders.status", "column": "status"}],
 "measures": [{"expression": "SUM(orders.amount)", "column": "a"}, {"expression": "COUNT(*)", "column": "n"}, {"expression": "AVG(orders.amount)", "column": "mean"}, {"expression": "MAX(orders.is_large)", "column": "large"}]}`
	for _, s := range stores(t) {
		s.load(t)
		rollup := rollup
		if s.kind != "duckdb" {
			rollup = strings.Replace(rollup, `, {"expression": "MAX(orders.is_large)", "column": "large"}`, "", 1)
		}
		s.run(t, "INSERT INTO orders VALUES (7, 1, 10, NULL, NULL, NULL), (8, 1, 10, NULL, 'lost', 5)")
		for _, c := range []struct{ change, found string }{
			{"UPDATE monthly SET a = 151 WHERE m = '2024-01-01'", `{"m":"2024-01-01","status":"completed"}: {"a":151`},
			{"UPDATE monthly SET a = NULL WHERE status = 'lost'", `{"m":null,"status":"lost"}: {"a":null`},
			{"UPDATE monthly SET a = 0 WHERE status IS NULL", `{"m":null,"status":null}: {"a":0`},
			{"UPDATE monthly SET n = 3 WHERE m = '2024-01-01'", `"n":3}, and {"a":150`},
			{"UPDATE monthly SET mean = mean + 0.01 WHERE m = '2024-03-01'", `{"m":"2024-03-01","status":"cancelled"}: `},
			{"DELETE FROM monthly WHERE status IS NULL", `{"m":null,"status":null}: no row, and {"a":null`},
			{"INSERT INTO monthly (m, status, a, n) VALUES ('2025-01-01', 'lost', 1, 1)", `{"m":"2025-01-01","status":"lost"}: {"a":1`},
			{"INSERT INTO monthly SELECT * FROM monthly WHERE status = 'lost'", `{"m":null,"status":"lost"}: 2 rows, and {"a":5`},
			{"ALTER TABLE monthly DROP COLUMN n", "the table of the rollup monthly has no column n"},
		} {
			s.wantRefreshed(t, rollup, engine.RollupBuilt, engine.RollupRefresh{Full: true})
			s.wantChecked(t, rollup, "")
			s.run(t, c.change)
			s.wantChecked(t, rollup, c.found)
		}
	}
}

// Texts compare in another order than the numbers that they show, and a cast may hide that they are texts.
func TestCheck_FindsColumnsOfOtherKinds(t *testing.T) {
	const rollup = `{"name": "monthly", "of": "orders", "group_by": [{"field": "orders.order_date", "grain": "month", "column": "m"}],
 "measures": [{"expression": "SUM(orders.amount)", "column": "a"}, {"expression": "MAX(orders.amount)", "column": "most"}]}`
	for _, s := range stores(t) {
		change := "ALTER TABLE monthly ALTER COLUMN most TYPE VARCHAR(20)"
		switch s.kind {
		case "sqlite": // whose columns have no types
			continue
		case "mariadb":
			change = "ALTER TABLE monthly MODIFY COLUMN most VARCHAR(20)"
		}
		s.load(t)
		s.wantRefreshed(t, rollup, engine.RollupBuilt, engine.RollupRefresh{Full: true})
		s.run(t, change)
		s.wantChecked(t, rollup, "the table of the rollup monthly has other types: column most holds texts where the base tables give numbers")
		s.run(t, "DROP TABLE monthly")
		s.wantRefreshed(t, rollup, engine.RollupBuilt, engine.RollupRefresh{Full: true})
		s.wantChecked(t, rollup, "")
	}
}

// A rollup that the warehouse rejects keeps no other from its refresh, and the error names it.
func TestRefresh_BuildsTheOtherRollupsWhereOneFails(t *testing.T) {
	const broken = `{"name": "broken", "of": "products", "group_by": [{"field": "products.category", "column": "category"}], "measures": [{"expression": "COUNT(*)", "column": "n"}]}`
	const kept = `{"name": "kept", "of": "orders", "group_by": [{"field": "orders.status", "column": "status"}], "measures": [{"expression": "COUNT(*)", "column": "n"}]}`
	for _, s := range stores(t) {
		s.load(t)
		s.run(t, "DROP TABLE products")
		done, err := s.refresh(t, broken+", "+kept, engine.RollupRefresh{})
		var rejected *engine.ExecuteError
		if !errors.As(err, &rejected) || rejected.Code != executor.CodeSQLRejected || !strings.HasPrefix(rejected.Message, "the rollup broken: ") {
			t.Errorf("%s: %v", s.kind, err)
		}
		if len(done) != 1 || done[0].Name != "kept" || done[0].Action != engine.RollupBuilt {
			t.Errorf("%s: %+v", s.kind, done)
		}
		s.wantChecked(t, kept, "")
	}
}
