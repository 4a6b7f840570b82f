package statements

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// windowedFirings are metrics of the studio with windows over the instants of the firings.
const windowedFirings = `
      - {name: thrown, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(firings.pots)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "lit_at"}'}]}
      - {name: thrown_so_far, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(firings.pots)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "lit_at", "window": {"type": "cumulative"}}'}]}
`

// windowedConditions are conditions on the instants beside a running total by month. Those with months choose rows of the result, by a
// condition on m in plain SQL; the others filter the rows that the windows read, and the response warns.
var windowedConditions = []struct{ condition, months string }{
	// Ranges.
	{"lit_at >= '2024-01-01'", "m >= '2024-01-01'"},
	{"lit_at >= '2024-01-01' AND lit_at < '2024-06-01'", "m >= '2024-01-01' AND m < '2024-06-01'"},
	{"lit_at >= '2024-01-01' AND lit_at < TIMESTAMP '2024-06-01 00:00:00'", "m >= '2024-01-01' AND m < '2024-06-01'"},
	{"lit_at >= DATE_TRUNC('year', TIMESTAMPTZ '2024-05-05 12:00:00+00')", "m >= '2024-01-01'"},
	{"lit_at >= DATE '2024-02-01' - INTERVAL '1 month' AND lit_at < DATE_TRUNC('month', TIMESTAMPTZ '2024-05-05 12:00:00+00') + INTERVAL '1 month'", "m >= '2024-01-01' AND m < '2024-06-01'"},
	{"DATE_TRUNC('month', lit_at) = '2024-01-01'", "m = '2024-01-01'"},
	{"DATE_TRUNC('month', lit_at) IN ('2024-01-01', '2024-02-01', '2024-03-01')", "m >= '2024-01-01' AND m < '2024-04-01'"},
	{"DATE_TRUNC('year', lit_at) = TIMESTAMP '2024-01-01 00:00:00'", "m >= '2024-01-01'"},
	{"DATE_TRUNC('day', lit_at) BETWEEN '2024-01-01' AND '2024-03-31'", "m >= '2024-01-01' AND m < '2024-04-01'"},
	{"CAST(lit_at AS DATE) BETWEEN '2024-01-01' AND '2024-03-31'", "m >= '2024-01-01' AND m < '2024-04-01'"},
	{"lit_at::date < '2024-03-01'", "m < '2024-03-01'"},
	{"CAST(lit_at AS TIMESTAMP) >= '2024-03-01'", "m >= '2024-03-01'"},
	{"EXTRACT(YEAR FROM lit_at) = 2024", "m >= '2024-01-01'"},
	{"EXTRACT(YEAR FROM lit_at) BETWEEN 2023 AND 2023", "m >= '2023-01-01' AND m < '2024-01-01'"},
	{"DATE_PART('year', lit_at) >= 2024", "m >= '2024-01-01'"},
	{"CAST(lit_at AS DATE) >= DATE '2024-02-28' + 2", "m >= '2024-03-01'"},
	{"lit_at < NOW() AND DATE_TRUNC('month', lit_at) < CURRENT_DATE", "TRUE"},
	{"lit_at >= TO_TIMESTAMP('2024-01-01', 'YYYY-MM-DD')", "m >= '2024-01-01'"},
	// Conditions on the result.
	{"DATE_TRUNC('month', lit_at) <> '2024-03-01'", "m <> '2024-03-01'"},
	{"DATE_TRUNC('month', lit_at) IN ('2024-01-01', '2024-06-01')", "m IN ('2024-01-01', '2024-06-01')"},
	{"NOT (DATE_TRUNC('month', lit_at) = '2024-01-01')", "m <> '2024-01-01'"},
	{"lit_at < '2024-01-01' OR lit_at >= '2024-06-01'", "m < '2024-01-01' OR m >= '2024-06-01'"},
	{"EXTRACT(MONTH FROM DATE_TRUNC('month', lit_at)) = 1", "EXTRACT(MONTH FROM m) = 1"},
	{"CAST(DATE_TRUNC('month', lit_at) AS DATE) IN ('2024-01-01', '2024-06-01')", "m IN ('2024-01-01', '2024-06-01')"},
	{"EXTRACT(YEAR FROM lit_at) <> 2023", "EXTRACT(YEAR FROM m) <> 2023"},
	{"HAVING DATE_TRUNC('month', lit_at) >= '2024-01-01'", "m >= '2024-01-01'"},
	{"HAVING CAST(DATE_TRUNC('month', lit_at) AS DATE) NOT IN ('2024-01-01', '2024-06-01')", "m NOT IN ('2024-01-01', '2024-06-01')"},
	{"HAVING MEASURE(thrown) > 2 AND CAST(DATE_TRUNC('month', lit_at) AS DATE) > DATE '2023-12-31'", "s > 2 AND m > '2023-12-31'"},
	// Filters.
	{"EXTRACT(HOUR FROM lit_at) < 12", ""},
	{"EXTRACT(DOW FROM lit_at) = 0", ""},
	{"DATE_TRUNC('day', lit_at) <> '2024-03-31'", ""},
	{"TO_CHAR(lit_at, 'HH24') < '12'", ""},
	{"lit_at AT TIME ZONE 'Asia/Tokyo' >= '2024-01-01'", ""},
	{"lit_at < noted", ""},
}

var windowZones = []string{"Europe/Berlin", "America/New_York", "5.5", "UTC"}

// Conditions on instants choose rows of the result beside a window, on the session's clock, or filter what it reads with a warning. The year and
// the quarter of a month on that clock do not partition the window.
func TestWindowedConditions_HaveTheRowsOfPlainSQL(t *testing.T) {
	doc, err := modelspec.Parse([]byte(firingsModel + windowedFirings))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	model := semsql.New(cat)
	var script strings.Builder
	script.WriteString(firingsData)
	for z, zone := range windowZones {
		fmt.Fprintf(&script, "SET timezone = '%s';\n", zone)
		for i, c := range windowedConditions {
			rows, months := c.condition, "TRUE"
			if c.months != "" {
				rows, months = "TRUE", c.months
			}
			fmt.Fprintf(&script, `CREATE TABLE plain_%d_%d AS
WITH b AS (SELECT CAST(DATE_TRUNC('month', lit_at) AS DATE) AS m, SUM(pots) AS s FROM firings WHERE %s GROUP BY 1),
w AS (SELECT m, s, CASE WHEN m IS NOT NULL THEN SUM(s) OVER (ORDER BY m) END AS c FROM b)
SELECT m, EXTRACT(YEAR FROM m) + 0 AS y, TO_CHAR(m, 'Q') AS q, s, c FROM w WHERE m IS NOT NULL AND (%s);
`, z, i, rows, months)
		}
	}
	script.WriteString("SET timezone = 'UTC';")
	oracle, err := servers.PostgreSQL(t, shared).Load(t.Context(), "statements/windowed_conditions", script.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = oracle.Close() })
	embedded, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{firingsData}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = embedded.Close() })
	for z, zone := range windowZones {
		for i, c := range windowedConditions {
			where, having := " WHERE "+c.condition, ""
			if strings.HasPrefix(c.condition, "HAVING ") {
				where, having = "", " "+c.condition
			}
			sql := "SELECT CAST(DATE_TRUNC('month', lit_at) AS DATE) AS m, EXTRACT(YEAR FROM lit_at) + 0 AS y, TO_CHAR(lit_at, 'Q') AS q, MEASURE(thrown) AS s, MEASURE(thrown_so_far) AS c FROM firings" + where + " GROUP BY 1, 2, 3" + having
			for _, engine := range []struct {
				dialect string
				db      executor.Executor
			}{{"postgres", oracle}, {"duckdb", embedded}} {
				compiled, err := model.Compile(t.Context(), semsql.Statement{SQL: sql, TimeZone: zone}, targetOf(dialect(t, engine.dialect)))
				if err != nil {
					t.Errorf("%s\n%v", sql, err)
					break
				}
				warned := slices.ContainsFunc(compiled.Planned.Warnings, func(w planerr.QueryWarning) bool { return w.Code == planerr.WarningConditionLimitsWindows })
				if want := c.months == ""; warned != want {
					t.Errorf("%s in %s: the warning is %t", c.condition, zone, warned)
				}
				text, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, engine.dialect), sqlemit.FormatOptions{})
				if err != nil {
					t.Fatal(err)
				}
				want, err := servers.QueryTable(t.Context(), oracle, fmt.Sprintf("SELECT * FROM plain_%d_%d", z, i), compiled.Planned.Columns)
				if err != nil {
					t.Fatal(err)
				}
				got, err := servers.QueryTable(t.Context(), engine.db, text, compiled.Planned.Columns)
				if err != nil {
					t.Errorf("%s: %s\n%.600s", engine.dialect, sql, err)
					continue
				}
				got.Columns = want.Columns
				if diff := table.Diff(want, got, false); diff != "" {
					t.Errorf("%s in %s: - is plain SQL's, + is the statement's\n%s\n%s\n%.1800s", engine.dialect, zone, sql, diff, text)
				}
			}
		}
	}
}
