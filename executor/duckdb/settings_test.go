package duckdb_test

import (
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/executortest"
)

// turnable returns the settings that the setup of a database may change.
func turnable() []executortest.ServerSettingCase {
	return []executortest.ServerSettingCase{
		{Name: "TimeZone", Wrong: "Asia/Tokyo", Probe: "SELECT CAST(TIMESTAMPTZ '2024-01-05 23:00:00Z' AS VARCHAR)[1:10] AS v"},
		{Name: "Calendar", Wrong: "buddhist", Probe: "SELECT EXTRACT(year FROM TIMESTAMPTZ '2024-01-05 23:00:00Z') AS v"},
		{Name: "default_null_order", Wrong: "NULLS_FIRST", Probe: "SELECT n AS v FROM (VALUES (1), (NULL)) AS t(n) ORDER BY n"},
		{Name: "default_order", Wrong: "DESCENDING", Probe: "SELECT n AS v FROM (VALUES (1), (2)) AS t(n) ORDER BY n"},
		{Name: "default_collation", Wrong: "NOCASE", Probe: "SELECT 'north' = 'North' AS v"},
		{Name: "ieee_floating_point_ops", Wrong: "false", Probe: "SELECT 1.0::DOUBLE / 0 IS NULL AS v"},
		{Name: "integer_division", Wrong: "true", Probe: "SELECT 1 / 2 AS v"},
		{Name: "old_implicit_casting", Wrong: "true", Probe: "SELECT current_setting('old_implicit_casting') AS v"},
		{Name: "scalar_subquery_error_on_multiple_rows", Wrong: "false", Probe: "SELECT current_setting('scalar_subquery_error_on_multiple_rows') AS v"},
		{Name: "order_by_non_integer_literal", Wrong: "true", Probe: "SELECT current_setting('order_by_non_integer_literal') AS v"},
		{Name: "preserve_identifier_case", Wrong: "false", Probe: "SELECT current_setting('preserve_identifier_case') AS v"},
		{Name: "preserve_insertion_order", Wrong: "false", Probe: "SELECT current_setting('preserve_insertion_order') AS v"},
		{Name: "disabled_optimizers", Wrong: "join_order", Probe: "SELECT current_setting('disabled_optimizers') AS v"},
		{Name: "disable_timestamptz_casts", Wrong: "true", Probe: "SELECT current_setting('disable_timestamptz_casts') AS v"},
	}
}

func TestSession_TakesNoSettingFromTheSetupThatChangesRows(t *testing.T) {
	var setup []string
	opened := func(t testing.TB, setup ...string) executor.Executor {
		e, err := duckdb.Open(t.Context(), duckdb.Options{Setup: setup})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	executortest.TestIgnoresServerSettings(t, executortest.ServerSettingChangeBackend{
		Open: func(t testing.TB) executor.Executor { return opened(t, setup...) },
		Turn: func(_ testing.TB, c executortest.ServerSettingCase) {
			setup = []string{"SET GLOBAL " + c.Name + " = '" + c.Wrong + "'"}
		},
		Back: func(testing.TB, executortest.ServerSettingCase) { setup = nil },
		Bare: func(t testing.TB, sql string) string {
			// The setup sees what it has set.
			e := opened(t, append(setup[:len(setup):len(setup)], "CREATE TABLE seen AS "+sql)...)
			got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT * FROM seen")
			if err != nil {
				return err.Error()
			}
			return got
		},
		Settings: turnable(),
	})
}

func TestSession_EachSettingIsTurnedByTheTest(t *testing.T) {
	executortest.CheckEverySessionSettingTested(t, duckdb.SettingNames(), turnable())
}

// DuckDB takes two subqueries for one where they are equal, and within them one joined table for another.
func TestSession_EqualSubqueriesThatJoinATableTwiceKeepTheirRows(t *testing.T) {
	const sums = `SELECT s.sku, SUM(p1.p) AS sold, SUM(p2.p) AS shipped FROM sales s
		LEFT JOIN price p1 ON s.sku = p1.sku AND s.sold_on >= p1.since AND s.sold_on < p1.until
		LEFT JOIN price p2 ON s.sku = p2.sku AND s.shipped_on >= p2.since AND s.shipped_on < p2.until GROUP BY s.sku`
	e, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{
		"CREATE TABLE sales AS SELECT * FROM (VALUES ('a', 1, 5), ('b', 2, 9)) v(sku, sold_on, shipped_on)",
		"CREATE TABLE price AS SELECT * FROM (VALUES ('a', 0, 3, 2), ('a', 4, 9, 5), ('b', 0, 3, 7), ('b', 8, 11, 11)) v(sku, since, until, p)",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	got, err := executortest.QueryRowsJSON(t.Context(), e, "WITH a AS ("+sums+"), b AS ("+sums+") SELECT b.sku, b.sold, b.shipped FROM a JOIN b ON a.sold = b.sold ORDER BY 1")
	if want := `[{"sku":"a","sold":2,"shipped":5},{"sku":"b","sold":7,"shipped":11}]`; err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
