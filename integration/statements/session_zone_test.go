package statements

import (
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// firingsModel is a pottery studio: the firings of its kilns, at instants.
const firingsModel = `
version: 0.2.0.dev0
semantic_model:
  - name: studio
    datasets:
      - name: firings
        source: firings
        primary_key: [firing_id]
        fields:
          - {name: firing_id, expression: {dialects: [{dialect: ANSI_SQL, expression: firing_id}]}, datatype: Integer}
          - {name: lit_at, expression: {dialects: [{dialect: ANSI_SQL, expression: lit_at}]}, datatype: DateTimeTz}
          - {name: noted, expression: {dialects: [{dialect: ANSI_SQL, expression: noted}]}, datatype: DateTime}
          - {name: booked, expression: {dialects: [{dialect: ANSI_SQL, expression: booked}]}, datatype: Date}
          - {name: pots, expression: {dialects: [{dialect: ANSI_SQL, expression: pots}]}, datatype: Integer}
    metrics:
      - {name: all_pots, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(firings.pots)}]}}
`

// firingsData has instants around midnights and the changes of clocks of several zones.
const firingsData = `
CREATE TABLE firings (firing_id INTEGER, lit_at TIMESTAMP WITH TIME ZONE, noted TIMESTAMP, booked DATE, pots INTEGER);
INSERT INTO firings VALUES
 (1, '2023-12-31 22:59:59.5+00', '2024-01-01 00:30:00', '2024-01-01', 3),
 (2, '2023-12-31 23:00:00+00', '2024-01-01 00:00:00', '2024-01-01', 5),
 (3, '2024-01-01 04:59:59+00', '2023-12-31 23:59:59', '2023-12-31', 7),
 (4, '2024-01-01 05:00:00+00', '2024-01-31 23:30:00', '2024-01-31', 11),
 (5, '2024-03-31 00:59:59+00', '2024-03-31 02:30:00', '2024-03-31', 13),
 (6, '2024-03-31 01:00:00+00', '2024-03-31 03:00:00', '2024-03-31', 17),
 (7, '2024-10-27 00:30:00+00', '2024-10-27 12:30:00', '2024-10-27', 19),
 (8, '2024-10-27 01:30:00+00', '2024-10-27 13:30:00', '2024-10-27', 23),
 (9, '2024-06-30 18:29:59+00', '2024-06-30 20:00:00', '2024-06-30', 29),
 (10, '2024-06-30 18:30:00+00', '2024-07-01 00:00:00', '2024-07-01', 31),
 (11, '1969-12-31 23:30:00+00', '1970-01-01 00:30:00', '1970-01-01', 37),
 (12, NULL, NULL, NULL, 41);
`

// sessionZones are the zones of the sessions, as PostgreSQL names them.
var sessionZones = []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "5.5", "-3.5", "<+02>-02", "+02:00", "UTC"}

// zonedStatements mean in plain SQL what they mean over the model, in every zone.
var zonedStatements = []string{
	"SELECT DATE_TRUNC('month', lit_at) AS m, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT DATE_TRUNC('day', lit_at) AS d, COUNT(*) AS n FROM firings GROUP BY 1",
	"SELECT DATE_TRUNC('week', lit_at) AS d, COUNT(*) AS n FROM firings GROUP BY 1",
	"SELECT DATE_TRUNC('hour', lit_at) AS d, COUNT(*) AS n FROM firings GROUP BY 1",
	"SELECT DATE_TRUNC('month', noted) AS m, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT CAST(lit_at AS DATE) AS d, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT DATE(lit_at) AS d, SUM(pots) AS s FROM firings GROUP BY 1 HAVING DATE(lit_at) >= '2024-01-01'",
	"SELECT CAST(DATE_TRUNC('month', lit_at) AS DATE) AS d, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT DATE_TRUNC('month', CAST(lit_at AS TIMESTAMP)) AS d, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT EXTRACT(YEAR FROM lit_at) AS y, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT EXTRACT(HOUR FROM lit_at) AS h, EXTRACT(DAY FROM lit_at) AS d, SUM(pots) AS s FROM firings GROUP BY 1, 2",
	"SELECT firing_id, EXTRACT(HOUR FROM lit_at) AS h, CAST(lit_at AS DATE) AS d, lit_at FROM firings",
	"SELECT firing_id, DATE_TRUNC('month', lit_at) AS m, DATE_TRUNC('day', lit_at) AS d, DATE_TRUNC('hour', lit_at) AS h FROM firings",
	"SELECT firing_id, lit_at AT TIME ZONE 'America/New_York' AS t, noted AT TIME ZONE 'Asia/Kolkata' AS i FROM firings",
	"SELECT firing_id, lit_at AT TIME ZONE '+02:00' AS t, lit_at AT TIME ZONE 'UTC' AS u FROM firings",
	"SELECT DATE_TRUNC('month', lit_at AT TIME ZONE 'America/New_York') AS m, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT DATE_TRUNC('month', lit_at AT TIME ZONE 'Europe/Berlin') AS m, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT EXTRACT(HOUR FROM lit_at AT TIME ZONE 'Asia/Kolkata') AS h, COUNT(*) AS n FROM firings GROUP BY 1",
	"SELECT CAST(lit_at AT TIME ZONE 'Asia/Kolkata' AS DATE) AS h, COUNT(*) AS n FROM firings GROUP BY 1",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= '2024-01-01'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= '2024-01-01' AND lit_at < '2024-07-01 00:00:00'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= '2024-01-01 00:00:00+00' AND lit_at < TIMESTAMPTZ '2024-07-01 00:00:00-03:30'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at BETWEEN DATE '2024-01-01' AND TIMESTAMP '2024-06-30 23:59:59'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at > '2024-01-01' OR lit_at = '2024-01-01'",
	"SELECT COUNT(*) AS n FROM firings WHERE CAST(lit_at AS DATE) = '2024-01-01'",
	"SELECT COUNT(*) AS n FROM firings WHERE CAST(lit_at AS DATE) BETWEEN '2024-01-01' AND '2024-06-30'",
	"SELECT COUNT(*) AS n FROM firings WHERE DATE_TRUNC('month', lit_at) = '2024-01-01'",
	"SELECT COUNT(*) AS n FROM firings WHERE DATE_TRUNC('month', lit_at) IN (TIMESTAMP '2024-01-01 00:00:00', '2024-03-01')",
	"SELECT COUNT(*) AS n FROM firings WHERE EXTRACT(YEAR FROM lit_at) = 2024 AND EXTRACT(MONTH FROM lit_at) <> 3",
	"SELECT COUNT(*) AS n FROM firings WHERE noted >= '2024-01-01' AND booked > '2024-01-01'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at < booked",
	"SELECT firing_id, TO_TIMESTAMP('2024-03-31 02:30', 'YYYY-MM-DD HH24:MI') AS a, TO_TIMESTAMP('2024-10-27 02:30', 'YYYY-MM-DD HH24:MI') AS b, TIMESTAMP '2024-10-27 02:30:00'::timestamptz AS c, '2024-03-31 02:30'::timestamptz AS d, MAKE_DATE(2024, 7, 1)::timestamptz AS e FROM firings WHERE firing_id = 1",
	"SELECT firing_id, TO_TIMESTAMP(0)::date AS a, TO_TIMESTAMP(1719772200.5)::timestamp AS b, TO_DATE('2024-02-29', 'YYYY-MM-DD')::timestamp AS c, TO_TIMESTAMP('2024-01-31T10:20:30.250+02', 'YYYY-MM-DD\"T\"HH24:MI:SS.MSTZH')::date AS d, TO_TIMESTAMP('31 Jan 2024', 'DD Mon YYYY') AS e FROM firings WHERE firing_id = 1",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= TO_TIMESTAMP(1704067200) AND lit_at < MAKE_DATE(2024, 7, 1) AND CAST(lit_at AS DATE) <= TO_DATE('31.03.2024', 'DD.MM.YYYY')",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at < noted",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= '2024-10-27 02:30:00' AND lit_at < '2024-10-27 03:30:00' OR lit_at >= '2024-03-31 02:30:00' AND lit_at < '2024-04-01'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= DATE_TRUNC('month', TIMESTAMPTZ '2024-01-10 12:00:00+00')",
	"SELECT COUNT(*) FILTER (WHERE CAST(lit_at AS DATE) < '2024-01-01') AS a, SUM(CASE WHEN EXTRACT(HOUR FROM lit_at) < 12 THEN pots END) AS b FROM firings",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at < NOW() AND CAST(NOW() AS DATE) = CURRENT_DATE AND lit_at < CURRENT_DATE",
	"SELECT MIN(DATE_TRUNC('month', lit_at)) AS a, MAX(CAST(lit_at AS DATE)) AS b FROM firings",
	"SELECT t.m, EXTRACT(YEAR FROM t.m) AS y, CAST(t.m AS DATE) AS d, t.s FROM (SELECT DATE_TRUNC('month', lit_at) AS m, SUM(pots) AS s FROM firings GROUP BY 1) t",
	"SELECT DATE_TRUNC('year', t.m) AS y, SUM(t.s) AS s FROM (SELECT DATE_TRUNC('month', lit_at) AS m, SUM(pots) AS s FROM firings GROUP BY 1 LIMIT 100) t GROUP BY 1",
	"SELECT firing_id FROM firings ORDER BY CAST(lit_at AS DATE), EXTRACT(HOUR FROM lit_at), firing_id LIMIT 4",
	"SELECT CASE WHEN DATE_TRUNC('month', lit_at) = '2024-01-01' THEN 'first' ELSE 'other' END AS c, COUNT(*) AS n FROM firings GROUP BY 1",
	"SELECT DATE_TRUNC('day', lit_at + INTERVAL '1 hour') AS d, COUNT(*) AS n FROM firings GROUP BY 1",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at::date = TIMESTAMPTZ '2024-01-01 04:59:00+00'::date",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at AT TIME ZONE 'America/New_York' >= '2024-01-01'",
	"SELECT EXTRACT(DOW FROM lit_at) AS d, SUM(pots) AS s FROM firings GROUP BY 1 HAVING EXTRACT(DOW FROM lit_at) <> 3 ORDER BY EXTRACT(DOW FROM lit_at)",
	"SELECT EXTRACT(ISODOW FROM lit_at) AS i, EXTRACT(DOW FROM lit_at) AS d, EXTRACT(DOY FROM lit_at) AS y, SUM(pots) AS s FROM firings GROUP BY 1, 2, 3",
	"SELECT EXTRACT(WEEK FROM lit_at) AS w, EXTRACT(QUARTER FROM lit_at) AS q, EXTRACT(MONTH FROM lit_at) AS m, SUM(pots) AS s FROM firings GROUP BY 1, 2, 3",
	"SELECT firing_id, DATE_PART('hour', lit_at) AS h FROM firings WHERE DATE_PART('month', lit_at) <> 3",
	"SELECT EXTRACT(HOUR FROM noted) AS h, DATE_PART('dow', booked) AS d, SUM(pots) AS s FROM firings GROUP BY 1, 2",
	"SELECT EXTRACT(MONTH FROM CAST(lit_at AS DATE)) AS m, EXTRACT(HOUR FROM CAST(lit_at AS TIMESTAMP)) AS h, SUM(pots) AS s FROM firings GROUP BY 1, 2",
	"SELECT EXTRACT(MONTH FROM lit_at AT TIME ZONE 'Europe/Berlin') AS m, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT TO_CHAR(lit_at, 'HH24') AS h, SUM(pots) AS s FROM firings GROUP BY 1",
	"SELECT TO_CHAR(lit_at, 'ID') AS i, TO_CHAR(lit_at, 'D') AS d, TO_CHAR(lit_at, 'FMDD') AS f, SUM(pots) AS s FROM firings GROUP BY 1, 2, 3",
	"SELECT TO_CHAR(lit_at, 'ddd') AS d, TO_CHAR(lit_at, 'WW') AS w, TO_CHAR(lit_at, 'IW') AS i, SUM(pots) AS s FROM firings GROUP BY 1, 2, 3",
	"SELECT TO_CHAR(lit_at, 'MM') AS m, TO_CHAR(noted, 'Q') AS q, TO_CHAR(booked, 'DD') AS d, SUM(pots) AS s FROM firings GROUP BY 1, 2, 3",
	"SELECT TO_CHAR(lit_at, 'MM') AS m, SUM(pots) AS s FROM firings GROUP BY TO_CHAR(lit_at, 'MM') HAVING TO_CHAR(lit_at, 'MM') > '03'",
	"SELECT firing_id, TO_CHAR(lit_at, 'HH24') AS h, TO_CHAR(lit_at, 'FMHH24') AS f, TO_CHAR(lit_at, 'D') AS d, TO_CHAR(lit_at, 'FMWW') AS w, TO_CHAR(booked, 'FMDDD') AS y FROM firings",
	"SELECT firing_id, TO_CHAR(lit_at, 'YYYY-MM-DD HH24:MI:SS') AS t, TO_CHAR(lit_at, 'HH12 AM') AS h, TO_CHAR(booked, 'DD.MM.YYYY') AS d FROM firings",
	"SELECT firing_id, TO_TIMESTAMP(TO_CHAR(lit_at, 'YYYYMMDD HH24:MI'), 'YYYYMMDD HH24:MI') AS t FROM firings",
	"SELECT COUNT(*) AS n FROM firings WHERE TO_CHAR(lit_at, 'MM') = '01' AND TO_CHAR(lit_at, 'HH24') < '12'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= DATE_TRUNC('month', TIMESTAMPTZ '2024-03-10 12:00:00+00') + INTERVAL '1 month' - INTERVAL '1 day'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at < TIMESTAMPTZ '2024-03-30 01:30:00+00' + INTERVAL '1 day' AND lit_at >= DATE '2024-01-31' - INTERVAL '1 month'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at < TIMESTAMPTZ '2024-03-31 00:30:00+00' + INTERVAL '24 hours' AND lit_at >= DATE '2024-02-02' - 33",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at >= DATE_TRUNC('hour', TIMESTAMPTZ '2024-06-30 18:29:59+00') AND lit_at < DATE_TRUNC('week', TIMESTAMPTZ '2024-07-03 00:00:00+00')",
	"SELECT COUNT(*) AS n FROM firings WHERE DATE_TRUNC('hour', lit_at) = '2024-03-31 00:00:00+00' OR DATE_TRUNC('hour', lit_at) > TIMESTAMPTZ '2024-06-30 18:00:00+00'",
	"SELECT COUNT(*) AS n FROM firings WHERE CAST(lit_at AS TIMESTAMP) >= '2024-10-27 02:30:00' AND CAST(lit_at AS TIMESTAMP) < '2024-10-27 03:00:00'",
	"SELECT COUNT(*) AS n FROM firings WHERE CAST(lit_at AS TIMESTAMP) >= '2024-03-31 02:30:00' AND lit_at AT TIME ZONE 'Europe/Berlin' <= '2024-07-01 00:00:00'",
	"SELECT COUNT(*) AS n FROM firings WHERE lit_at AT TIME ZONE 'Europe/Berlin' BETWEEN '2024-01-01' AND '2024-10-27 02:30:00'",
	"SELECT COUNT(*) AS n FROM firings WHERE CAST(lit_at AS DATE) IN ('2024-03-31', '2024-04-01') OR DATE_TRUNC('week', lit_at) = '2024-01-01'",
	"SELECT COUNT(*) AS n FROM firings WHERE DATE_TRUNC('quarter', lit_at) <> '2024-01-01' AND EXTRACT(YEAR FROM lit_at) IN (2023, 2024)",
	"SELECT TO_CHAR(t.m, 'MM') AS c, SUM(t.s) AS s FROM (SELECT DATE_TRUNC('month', lit_at) AS m, SUM(pots) AS s FROM firings GROUP BY 1 LIMIT 100) t GROUP BY 1",
}

// A statement in a session with a zone has the rows that PostgreSQL has for it with the same TimeZone, on every engine.
func TestSessionZone_AnswersAsPostgreSQL(t *testing.T) {
	doc, err := modelspec.Parse([]byte(firingsModel))
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
	for z, zone := range sessionZones {
		fmt.Fprintf(&script, "SET timezone = '%s';\n", zone)
		for i, sql := range zonedStatements {
			fmt.Fprintf(&script, "CREATE TABLE plain_%d_%d AS %s;\n", z, i, sql)
		}
	}
	script.WriteString("SET timezone = 'UTC';")
	oracle, err := servers.PostgreSQL(t, shared).Load(t.Context(), "statements/session_zone", script.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = oracle.Close() })
	embedded, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{firingsData}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = embedded.Close() })
	for z, zone := range sessionZones {
		t.Run(zone, func(t *testing.T) {
			for i, sql := range zonedStatements {
				for _, engine := range []struct {
					dialect string
					db      executor.Executor
				}{{"postgres", oracle}, {"duckdb", embedded}} {
					compiled, err := model.Compile(t.Context(), semsql.Statement{SQL: sql, TimeZone: zone}, targetOf(dialect(t, engine.dialect)))
					if err != nil {
						t.Errorf("%s\n%v", sql, err)
						break
					}
					if err := plan.CheckTree(compiled.Planned.Root); err != nil {
						t.Errorf("%s\n%v", sql, err)
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
						t.Errorf("%s: - is PostgreSQL's, + is the statement's\n%s\n%s\n%.800s", engine.dialect, sql, diff, text)
					}
				}
			}
		})
	}
}
