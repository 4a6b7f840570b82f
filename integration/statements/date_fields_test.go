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
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// coursesModel is a pottery studio: the courses of its teachers, by a day whose column holds timestamps.
const coursesModel = `
version: 0.2.0.dev0
semantic_model:
  - name: studio
    datasets:
      - name: courses
        source: courses
        primary_key: [course_id]
        fields:
          - {name: course_id, expression: {dialects: [{dialect: ANSI_SQL, expression: course_id}]}, datatype: Integer}
          - {name: day, expression: {dialects: [{dialect: ANSI_SQL, expression: held}]}, datatype: Date}
          - {name: guests, expression: {dialects: [{dialect: ANSI_SQL, expression: guests}]}, datatype: Integer}
    metrics:
      - {name: all_guests, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(courses.guests)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}]}
`

// coursesData also has the days of the courses, for plain SQL.
const coursesData = `
CREATE TABLE courses (course_id INTEGER, held TIMESTAMP, guests INTEGER);
INSERT INTO courses VALUES (1, '2024-01-04 23:59:59', 1), (2, '2024-01-05 00:00:00', 2), (3, '2024-01-05 12:00:00', 4), (4, '2024-01-05 18:30:00', 8), (5, '2024-01-06 00:00:00', 16), (6, '2024-01-06 09:00:00', 32), (7, '2024-01-07 00:00:01', 64), (8, NULL, 128);
CREATE VIEW plain AS SELECT course_id, CAST(held AS DATE) AS day, guests FROM courses;
`

// dayConditions are conditions on a day, and what they are in plain SQL in a session in Berlin. A constant with a time of day compares with the
// midnight of the day.
var dayConditions = []struct{ condition, plain string }{
	{"day >= '2024-01-05 12:00'", "day >= DATE '2024-01-06'"},
	{"day > '2024-01-05 12:00'", "day >= DATE '2024-01-06'"},
	{"day < '2024-01-05 12:00'", "day <= DATE '2024-01-05'"},
	{"day <= '2024-01-05T12:00:00'", "day <= DATE '2024-01-05'"},
	{"day = '2024-01-05 12:00:00'", "day < DATE '0001-01-01'"},
	{"day <> '2024-01-05 12:00:00.5'", "day > DATE '0001-01-01'"},
	{"day IS DISTINCT FROM '2024-01-05 12:00:00'", "TRUE"},
	{"day IS NOT DISTINCT FROM '2024-01-05 12:00:00'", "FALSE"},
	{"'2024-01-05 12:00' <= day", "day >= DATE '2024-01-06'"},
	{"day > '2024-01-05 00:00:00'", "day > DATE '2024-01-05'"},
	{"day = '2024-01-05T00:00:00Z'", "day = DATE '2024-01-05'"},
	{"day >= '2024-01-05 12:00' AND day < '2024-01-06 12:00'", "day = DATE '2024-01-06'"},
	{"day BETWEEN '2024-01-05 12:00' AND '2024-01-06 12:00'", "day = DATE '2024-01-06'"},
	{"day NOT BETWEEN '2024-01-05 12:00' AND '2024-01-06 12:00'", "day <> DATE '2024-01-06'"},
	{"day IN ('2024-01-05 12:00', '2024-01-06')", "day = DATE '2024-01-06'"},
	{"day NOT IN ('2024-01-05 12:00', '2024-01-06')", "day <> DATE '2024-01-06'"},
	{"day = ANY(ARRAY['2024-01-05 12:00', '2024-01-07'])", "day = DATE '2024-01-07'"},
	{"NOT (day >= '2024-01-05 12:00' OR day = '2024-01-04')", "day = DATE '2024-01-05'"},
	{"CASE day WHEN '2024-01-05 12:00' THEN FALSE WHEN '2024-01-06' THEN TRUE END", "CASE day WHEN DATE '2024-01-06' THEN TRUE END"},
	{"CASE WHEN day > '2024-01-05 12:00' THEN guests ELSE 0 END > 16", "CASE WHEN day > DATE '2024-01-05' THEN guests ELSE 0 END > 16"},
	{"CAST(day AS DATE) >= '2024-01-05 12:00'", "day >= DATE '2024-01-06'"},
	{"DATE_TRUNC('day', day) >= '2024-01-05 12:00'", "day >= DATE '2024-01-06'"},
	{"day >= TIMESTAMP '2024-01-05 12:00:00'", "day >= DATE '2024-01-06'"},
	{"day >= '2024-01-05 12:00'::timestamp", "day >= DATE '2024-01-06'"},
	{"day >= '2024-01-05 12:00'::date", "day >= DATE '2024-01-05'"},
	{"day >= TO_TIMESTAMP('2024-01-05 12:00', 'YYYY-MM-DD HH24:MI')", "day >= DATE '2024-01-06'"},
	{"day >= TIMESTAMPTZ '2024-01-05 22:59:00+00'", "day >= DATE '2024-01-06'"},
	{"day >= TIMESTAMPTZ '2024-01-05 23:01:00+00'", "day >= DATE '2024-01-07'"},
	{"day = TIMESTAMPTZ '2024-01-05 23:00:00+00'", "day = DATE '2024-01-06'"},
	{"day IN (TIMESTAMPTZ '2024-01-05 23:00:00+00', '2024-01-04')", "day IN (DATE '2024-01-06', DATE '2024-01-04')"},
	{"day >= $1", "day >= DATE '2024-01-06'"},
	{"day IN ($1, '2024-01-06')", "day = DATE '2024-01-06'"},
	{"day BETWEEN $1 AND '2024-01-06'", "day = DATE '2024-01-06'"},
	{"NULLIF(day, '2024-01-06') > '2024-01-05 12:00'", "NULLIF(day, DATE '2024-01-06') > DATE '2024-01-05'"},
	{"day <= '9999-12-31'", "day <= DATE '9999-12-31'"},
	{"day <= '9999-12-31 12:00'", "day <= DATE '9999-12-31'"},
	{"day > '9999-12-31 12:00'", "day > DATE '9999-12-31'"},
	{"day >= '0001-01-01'", "day >= DATE '0001-01-01'"},
}

// Statements in which a condition is written; %s is the condition.
var placesOfDayConditions = []string{
	"SELECT COUNT(*) AS n, SUM(guests) AS s FROM courses WHERE %s",
	"SELECT course_id FROM courses WHERE %s",
	"SELECT day, SUM(guests) AS s FROM courses WHERE %s GROUP BY day",
	"SELECT day, guests, COUNT(*) AS s FROM courses GROUP BY day, guests HAVING %s",
	"SELECT SUM(guests) FILTER (WHERE %s) AS s FROM courses",
	"SELECT SUM(CASE WHEN %s THEN guests END) AS s FROM courses",
	"SELECT (%s) AS c, COUNT(*) AS n FROM courses GROUP BY 1",
	"SELECT course_id, (%s) AS c FROM courses",
	"SELECT COUNT(*) AS n FROM (SELECT day, guests FROM courses) t WHERE %s",
	"SELECT SUM(n) AS n FROM (SELECT day, guests, COUNT(*) AS n FROM courses GROUP BY day, guests LIMIT 100) t WHERE %s",
}

func TestDateFields_CompareTheirMidnights(t *testing.T) {
	doc, err := modelspec.Parse([]byte(coursesModel))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	model := semsql.New(cat)
	oracle, err := servers.PostgreSQL(t, shared).Load(t.Context(), "statements/date_fields", coursesData)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = oracle.Close() })
	embedded, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{coursesData}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = embedded.Close() })
	for _, c := range dayConditions {
		for _, place := range placesOfDayConditions {
			sql := fmt.Sprintf(place, c.condition)
			var params []query.ParamValue
			if strings.Contains(sql, "$1") {
				params = []query.ParamValue{{Kind: query.StringValue, Text: "2024-01-05 12:00"}}
			}
			for _, engine := range []struct {
				dialect string
				db      executor.Executor
			}{{"postgres", oracle}, {"duckdb", embedded}} {
				compiled, err := model.Compile(t.Context(), semsql.Statement{SQL: sql, TimeZone: "Europe/Berlin", Params: params}, targetOf(dialect(t, engine.dialect)))
				if err != nil {
					t.Errorf("%s\n%v", sql, err)
					break
				}
				text, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, engine.dialect), sqlemit.FormatOptions{})
				if err != nil {
					t.Fatal(err)
				}
				plain := strings.ReplaceAll(fmt.Sprintf(place, c.plain), "FROM courses", "FROM plain")
				want, err := servers.QueryTable(t.Context(), oracle, plain, compiled.Planned.Columns)
				if err != nil {
					t.Fatal(plain, err)
				}
				got, err := servers.QueryTable(t.Context(), engine.db, text, compiled.Planned.Columns)
				if err != nil {
					t.Errorf("%s: %s\n%.600s", engine.dialect, sql, err)
					continue
				}
				got.Columns = want.Columns
				if diff := table.Diff(want, got, false); diff != "" {
					t.Errorf("%s: - is plain SQL's, + is the statement's\n%s\n%s\n%.800s", engine.dialect, sql, diff, text)
				}
			}
		}
	}
}
