package engine_test

import (
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// A column of MariaDB takes 'a', 'A' and 'a ' for equal, and a group has one of them: what reads its letters reads the base tables.
func TestRollups_LettersOfEqualTextsComeFromTheBaseTables(t *testing.T) {
	e := rolledShop(t, engine.Config{}, byStatus+"}")
	for _, c := range []struct {
		dialect, keys, rule string
	}{
		{"mariadb", `"where_sql":"LENGTH(orders.status) = 2"`, "filter"},
		{"mysql", `"where_sql":"orders.status LIKE 'c%'"`, "filter"},
		{"mariadb", `"where_sql":"orders.status = 'completed' OR orders.status IN ('x', 'y') OR orders.status IS NULL"`, ""},
		{"mariadb", `"group_by":[{"name":"n","expression":"LENGTH(orders.status)"}]`, "group_by"},
		{"mariadb", `"group_by":[{"field":"orders.status"}]`, ""},
		{"duckdb", `"where_sql":"LENGTH(orders.status) = 2"`, ""},
		{"postgres", `"group_by":[{"name":"n","expression":"LENGTH(orders.status)"}]`, ""},
	} {
		got, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["revenue"],"dialect":"`+c.dialect+`",`+c.keys+`}`))
		if err != nil {
			t.Errorf("%s: %v", c.keys, err)
			continue
		}
		rule := ""
		if use := got.Rollups[0]; use.Rollup == nil {
			rule = use.WhyNot[0].Rule
		}
		if rule != c.rule {
			t.Errorf("%s %s: rule %q, want %q", c.dialect, c.keys, rule, c.rule)
		}
	}
	measure := metricQuery(t, `{"metrics":[{"name":"short","expression":"SUM(CASE WHEN LENGTH(orders.status) < 10 THEN orders.amount END)"}],"dialect":"mariadb"}`)
	got, err := askSQL(t.Context(), e, measure)
	if err != nil || got.Rollups[0].Rollup != nil || got.Rollups[0].WhyNot[0].Rule != "measure" {
		t.Errorf("%v, %+v", err, got)
	}
}
