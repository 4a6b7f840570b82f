package sqlemit_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

func TestBigQuery_RewritesUnsupportedExpressions(t *testing.T) {
	const (
		day       = "CAST(`a`.x AS DATETIME)"
		timestamp = "DATETIME '2024-02-29 20:00:00'"
	)
	tests := []struct{ expr, want string }{
		// Days and timestamps beside what may have a zone.
		{"a.x >= DATE '2024-02-29'", "`a`.x >= '2024-02-29'"},
		{"DATE '2024-02-29' <> a.x", "'2024-02-29' <> `a`.x"},
		{"a.x < TIMESTAMP '2024-02-29 00:00:00'", "`a`.x < '2024-02-29'"},
		{"MAX(a.x) IS NOT DISTINCT FROM DATE '2024-02-29'", "MAX(`a`.x) IS NOT DISTINCT FROM '2024-02-29'"},
		{"a.x BETWEEN DATE '2024-02-28' AND DATE '2024-02-29'", "`a`.x BETWEEN '2024-02-28' AND '2024-02-29'"},
		{"a.x IN (DATE '2024-02-28', NULL)", "`a`.x IN ('2024-02-28', NULL)"},
		{"a.x >= CURRENT_DATE", "`a`.x >= CURRENT_DATE('UTC')"},
		{"a.x BETWEEN DATE '2024-02-28' AND CURRENT_DATE", "`a`.x BETWEEN DATE '2024-02-28' AND CURRENT_DATE('UTC')"},
		{"CAST(a.x AS DATE) = DATE '2024-02-29'", "CAST(`a`.x AS DATE) = DATE '2024-02-29'"},
		{"a.x > TIMESTAMPTZ '2024-02-29 20:00:00Z'", "`a`.x > TIMESTAMP '2024-02-29 20:00:00+00:00'"},
		// The string of a timestamp within a day does not convert to a day.
		{"a.x >= TIMESTAMP '2024-02-29 20:00:00'", "`a`.x >= '2024-02-29' AND " + day + " >= " + timestamp},
		{"TIMESTAMP '2024-02-29 20:00:00' > a.x", "`a`.x < '2024-03-01' AND " + timestamp + " > " + day},
		{"NOT a.x < TIMESTAMP '2024-02-29 20:00:00'", "NOT (`a`.x < '2024-03-01' AND " + day + " < " + timestamp + ")"},
		{"a.x = TIMESTAMP '2024-02-29 20:00:00'", day + " = " + timestamp},
		{"a.x < TIMESTAMP '9999-12-31 20:00:00'", day + " < DATETIME '9999-12-31 20:00:00'"},
		{
			"a.x NOT BETWEEN DATE '2024-02-28' AND TIMESTAMP '2024-02-29 20:00:00'",
			"NOT (`a`.x >= '2024-02-28' AND `a`.x < '2024-03-01' AND " + day + " <= " + timestamp + ")",
		},
		{"a.x IN (TIMESTAMP '2024-02-29 20:00:00')", day + " IN (" + timestamp + ")"},
		// Beside a timestamp with a zone for sure.
		{"CURRENT_TIMESTAMP > TIMESTAMP '2024-02-29 20:00:00'", "CURRENT_TIMESTAMP() > TIMESTAMP '2024-02-29 20:00:00+00:00'"},
		{"CURRENT_TIMESTAMP > DATE '2024-02-29'", "CURRENT_TIMESTAMP() > TIMESTAMP '2024-02-29 00:00:00+00:00'"},
		{"CURRENT_TIMESTAMP > CURRENT_DATE", "CURRENT_TIMESTAMP() > CAST(CURRENT_DATE('UTC') AS TIMESTAMP)"},
		// MOD does not accept doubles, and integers stay integers.
		{"COUNT(*) % 2", "MOD(COUNT(*), 2)"},
		{"COUNT(*) % 0", "MOD(COUNT(*), NULLIF(0, 0))"},
		{"COUNT(*) % 0.5", "MOD(CAST(COUNT(*) AS BIGNUMERIC), CAST(0.5 AS BIGNUMERIC))"},
		{"a.x > 9223372036854775807", "`a`.x > 9223372036854775807"},
		{"a.x > -9223372036854775809", "`a`.x > -BIGNUMERIC '9223372036854775809'"},
		{"CAST('f' AS BOOLEAN) IS TRUE", "CASE WHEN LOWER('f') IN ('t', 'yes', 'y', 'on', '1') THEN TRUE " +
			"WHEN LOWER('f') IN ('f', 'no', 'n', 'off', '0') THEN FALSE ELSE CAST('f' AS BOOL) END IS TRUE"},
		{"EXTRACT(ISODOW FROM a.x) * 2", "(MOD(EXTRACT(DAYOFWEEK FROM `a`.x) + 5, 7) + 1) * 2"},
	}
	d, _ := sqlemit.LookupDialect("bigquery")
	for _, tt := range tests {
		got, err := expression(parse(t, tt.expr), d)
		if err != nil || got != tt.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tt.expr, got, err, tt.want)
		}
	}
	if _, err := expression(parse(t, "EXTRACT(century FROM a.x)"), d); err == nil {
		t.Error("a part that BigQuery lacks is printed")
	}
}

func TestBigQuery_CutsLongResultNames(t *testing.T) {
	d, _ := sqlemit.LookupDialect("bigquery")
	long := strings.Repeat("ż", 300)
	for _, name := range []string{long, long + "a", long + "b"} {
		scan := &plan.Scan{Source: sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: "t"}}}, Alias: "t"}
		sql, err := sqlemit.Emit(t.Context(), &plan.Project{Input: scan, Cols: []plan.NamedExpr{{Name: name, Expr: parse(t, "1")}}}, d, sqlemit.FormatOptions{})
		label, _, _ := strings.Cut(strings.TrimPrefix(sql, "SELECT 1 AS `"), "`")
		if err != nil || len([]rune(label)) != 300 || (label == name) != (name == long) {
			t.Errorf("%d characters: %q, %v", len([]rune(name)), label, err)
		}
	}
}
