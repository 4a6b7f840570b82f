package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
)

// Four crates, of which one is packed in January and shipped in March.
const crates = `
version: 0.2.0.dev0
name: m
datasets:
  - name: crates
    source: SELECT * FROM (VALUES (1, DATE '2024-01-10', DATE '2024-01-12', 'east'), (2, DATE '2024-01-20', DATE '2024-03-02', 'west'), (3, DATE '2024-02-10', DATE '2024-02-12', 'east'), (4, DATE '2024-03-20', DATE '2024-03-22', 'east')) AS c (id, packed, shipped, depot)
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: packed, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: packed}]}}
      - {name: shipped, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: shipped}]}}
      - {name: depot, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: depot}]}}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(crates.id)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "packed"}'}]}
  - name: packed_so_far
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(crates.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "packed", "window": {"type": "cumulative"}}'}]
  - name: packed_place
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(crates.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "packed", "window": {"rank": {"function": "rank"}}}'}]
  - name: shipped_so_far
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(crates.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "shipped", "window": {"type": "cumulative"}}'}]
`

func TestResult_WarnsOfConditionsThatLimitWindows(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(crates)})
	const all = `"n","packed_so_far","packed_place","shipped_so_far"`
	const where = `,"where_sql":`
	for _, c := range []struct{ name, metrics, keys, warning string }{
		{"no condition", all, ``, ""},
		{"a range of the only axis", `"n","packed_so_far","packed_place"`, where + `"packed >= '2024-02-01'"`, ""},
		{"a condition on the grouped month", all, where + `"metric_time__month <> DATE '2024-02-01'"`, ""},
		{"a condition on the truncated axis", `"packed_so_far"`, where + `"DATE_TRUNC('month', packed) <> DATE '2024-02-01'"`, ""},
		{"ranges with OR, of whole months", `"packed_so_far"`, where + `"packed < '2024-02-01' OR packed >= '2024-03-01'"`, ""},
		{"times that are there", `"packed_so_far"`, where + `"packed IS NOT NULL"`, ""},
		{"a field that is not an axis", `"packed_so_far"`, where + `"depot = 'east' AND shipped > '2024-01-01'"`, ""},
		{"no window over time", `"n","packed_place"`, where + `"packed <> '2024-02-10'"`, ""},
		{"a context filter", `"packed_so_far"`, `,"context_filter":"packed <> '2024-02-10'"`, ""},
		{
			"a day", `"n","packed_so_far","packed_place"`, where + `"packed <> '2024-02-10'"`,
			`{"code":"condition_limits_windows","message":"the condition packed <> '2024-02-10' filters the rows that the windows of packed_so_far read; a range of crates.packed, or a condition on the column metric_time__month, chooses rows of the result and leaves the windows as they are","columns":["packed_so_far"]}`,
		},
		{
			"ranges with OR, within months", `"packed_so_far"`, where + `"packed < '2024-02-01' OR packed >= '2024-03-05'"`,
			`"columns":["packed_so_far"]`,
		},
		{"the range of another axis", all, where + `"packed >= '2024-02-01'"`, `"columns":["shipped_so_far"]`},
		{
			"time_range over another axis", all, `,"time_range":{"start":"2024-02-01","dimension":"crates.packed"}`,
			`"message":"the time range over crates.packed filters the rows that the windows of shipped_so_far read; a range of crates.shipped, or a condition on the column metric_time__month, chooses rows of the result and leaves the windows as they are","columns":["shipped_so_far"]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := `{"metrics":[` + c.metrics + `],"group_by":[{"field":"metric_time","grain":"month"}]` + c.keys + `}`
			text := string(answered(t, e, body))
			if warned := strings.Contains(text, "condition_limits_windows"); warned != (c.warning != "") || !strings.Contains(text, c.warning) {
				t.Error(text)
			}
		})
	}
}

// A statement that holds the time of its compilation is compiled again. CURRENT_DATE is that of UTC.
func TestStatementCache_KeepsNoConditionWithCurrentTime(t *testing.T) {
	now := time.Date(2024, 2, 5, 23, 30, 0, 0, time.UTC)
	e := open(t, engine.Config{ModelText: []byte(crates), Now: func() time.Time { return now }})
	for _, c := range []struct {
		day        int
		where, sql string
	}{
		{5, "packed >= CURRENT_DATE - INTERVAL '4' DAY", "DATE '2024-02-05'"},
		{6, "packed >= CURRENT_DATE - INTERVAL '4' DAY", "DATE '2024-02-06'"},
		{6, "DATE_TRUNC('month', packed) = DATE_TRUNC('month', CURRENT_TIMESTAMP)", "2024-02-06 23:30:00+00"},
	} {
		now = time.Date(2024, 2, c.day, 23, 30, 0, 0, time.UTC)
		compiled, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["n"],"where_sql":"`+c.where+`","time_zone":"Asia/Tokyo"}`))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(compiled.SQL, c.sql) || strings.Contains(compiled.SQL, "CURRENT_") {
			t.Errorf("%s: %s", c.where, compiled.SQL)
		}
	}
}
