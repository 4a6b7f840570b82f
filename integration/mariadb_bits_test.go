package integration_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

// TestBits_AreNumbersAndConditionsOnMariaDB reads BIT columns, of whose extremes MariaDB sends digits in place of bits.
func TestBits_AreNumbersAndConditionsOnMariaDB(t *testing.T) {
	const script = `
CREATE TABLE crates (crate_id INTEGER PRIMARY KEY, fragile BIT(1), marks BIT(8), size_code BIT(16));
INSERT INTO crates VALUES (1, b'0', 1, 300), (2, b'0', 2, 12850);
`
	db := loadScriptOn(t, servers.MariaDB(t, shared), script)
	for aggregate, want := range map[string]string{
		"BOOL_OR(crates.fragile)": "false", "BOOL_AND(crates.fragile)": "false", "MAX(crates.marks)": "2", "MIN(crates.marks)": "1", "MAX(crates.size_code)": "12850",
		"SUM(crates.marks)": "3", "MAX(crates.marks) - MIN(crates.marks)": "1", "COALESCE(MAX(crates.marks), 0)": "2",
		"CASE WHEN BOOL_OR(crates.fragile) THEN 1 ELSE 0 END":      "0",
		"MAX(CASE WHEN crates.crate_id > 1 THEN crates.marks END)": "2", "NULLIF(MAX(crates.marks), 9)": "2", "COALESCE(MAX(crates.marks), MAX(crates.size_code))": "2",
		"GREATEST(MAX(crates.marks), MIN(crates.marks))": "2",
	} {
		model := modelOf([]string{modelDataset("crates", "crates", "    primary_key: [crate_id]\n", modelField("crate_id", "Integer", "", ""),
			modelField("fragile", "Boolean", "", ""), modelField("marks", "Integer", "", ""), modelField("size_code", "Integer", "", ""))}, "",
			"  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: "+quoteJSON(aggregate)+"}]}}\n")
		e := openModelOver(t, db, model)
		checkTotal(t, e, `"limit":1`, aggregate, want)
		checkTotal(t, e, `"where_sql":"total IS NOT NULL"`, aggregate+" with a condition", want)
	}
	const fields = `SELECT crate_id, fragile, marks, CASE WHEN crate_id = 1 THEN fragile END AS first_fragile, CASE WHEN crate_id > 0 THEN marks END AS shown, COALESCE(size_code, marks) AS size, NULLIF(marks, 1) AS others FROM crates ORDER BY crate_id`
	model := modelOf([]string{modelDataset("crates", "crates", "    primary_key: [crate_id]\n", modelField("crate_id", "Integer", "", ""),
		modelField("fragile", "Boolean", "", ""), modelField("marks", "Integer", "", ""), modelField("size_code", "Integer", "", ""))}, "", "")
	statement, err := query.DecodeSQL([]byte(`{"connection":"w","sql":` + quoteJSON(fields) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	result, err := prepare.Rows(t.Context(), openModelOver(t, db, model), statement)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"crate_id":1,"fragile":false,"marks":1,"first_fragile":false,"shown":1,"size":300,"others":null},{"crate_id":2,"fragile":false,"marks":2,"first_fragile":null,"shown":2,"size":12850,"others":2}]`
	if diff := cmp.Diff(want, string(result.Rows)); diff != "" {
		t.Errorf("%s\n%s", diff, result.SQL)
	}
}
