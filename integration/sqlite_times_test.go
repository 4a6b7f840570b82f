package integration_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

// The first seven rows are one instant in seven forms; a sum of weights shows which rows match.
const firingTimesScript = `
CREATE TABLE firings (firing_id INTEGER PRIMARY KEY, lit TEXT, lit_utc TEXT, due TEXT, weight INTEGER);
INSERT INTO firings VALUES
(1, '2024-03-01 09:00:00', '2024-03-01T10:00:00+01:00', '2024-03-01', 1),
(2, '2024-03-01T09:00:00', '2024-03-01 09:00:00', '2024-03-01', 2),
(3, '2024-03-01T09:00:00Z', '2024-03-01T09:00:00', '2024-03-01', 4),
(4, '2024-03-01T10:00:00+01:00', '2024-03-01T09:00:00Z', '2024-03-01', 8),
(5, '2024-03-01 09:00', '2024-03-01T04:30:00.000-04:30', '2024-03-01', 16),
(6, '2024-03-01 09:00:00.000000', '2024-03-01 09:00', '2024-03-01T00:00:00', 32),
(7, '2024-03-01T04:30:00.000-04:30', '2024-03-01 09:00:00.000000', '2024-03-01 00:00:00', 64),
(8, '2024-03-01', '2024-03-01T00:00:00Z', '2024-03-01', 128),
(9, '2024-03-01T09:00:00.000250', '2024-03-01 09:00:00.00025', '2024-03-02', 256),
(10, NULL, NULL, NULL, 512);
`

func firingTimesModel() string {
	return modelOf([]string{modelDataset("firings", "firings", "    primary_key: [firing_id]\n",
		modelField("firing_id", "Integer", "", ""), modelField("lit", "DateTime", "", ""), modelField("lit_utc", "DateTimeTz", "", ""),
		modelField("due", "Date", "", ""), modelField("weight", "Integer", "", ""))}, "", metricLine("total", "SUM(firings.weight)"))
}

// TestSQLiteTimes_EveryFormComparesAsItsInstant compares times that are stored as texts in every form that SQLite reads.
func TestSQLiteTimes_EveryFormComparesAsItsInstant(t *testing.T) {
	e := openModelOn(t, servers.SQLite(t), firingTimesModel(), firingTimesScript)
	for _, field := range []string{"lit", "lit_utc"} {
		for _, test := range []struct {
			condition string
			want      int
		}{
			{"%s = TIMESTAMP '2024-03-01 09:00:00'", 127},
			{"TIMESTAMP '2024-03-01 09:00:00.000' = %s", 127},
			{"%s <> TIMESTAMP '2024-03-01 09:00:00'", 384},
			{"%s >= TIMESTAMP '2024-03-01 09:00:00'", 383},
			{"%s > TIMESTAMP '2024-03-01 09:00:00'", 256},
			{"%s <= TIMESTAMP '2024-03-01 09:00:00'", 255},
			{"%s < TIMESTAMP '2024-03-01 09:00:00'", 128},
			{"TIMESTAMP '2024-03-01 09:00:00' > %s", 128},
			{"TIMESTAMP '2024-03-01 09:00:00' <= %s", 383},
			{"%s < TIMESTAMP '2024-03-01 09:00:00.0002'", 255},
			{"%s = TIMESTAMP '2024-03-01 09:00:00.00025'", 256},
			{"%s BETWEEN TIMESTAMP '2024-03-01 08:00:00' AND TIMESTAMP '2024-03-01 09:00:00'", 127},
			{"%s NOT BETWEEN TIMESTAMP '2024-03-01 08:00:00' AND TIMESTAMP '2024-03-01 09:00:00'", 384},
			{"%s IN (TIMESTAMP '2024-03-01 09:00:00', TIMESTAMP '2024-03-01 00:00:00')", 255},
			{"%s NOT IN (TIMESTAMP '2024-03-01 09:00:00')", 384},
			{"%s IS DISTINCT FROM TIMESTAMP '2024-03-01 09:00:00'", 896},
			{"%s = DATE '2024-03-01'", 128},
			{"%s > DATE '2024-03-01'", 383},
			{"%s < CURRENT_TIMESTAMP", 511},
			{"%s = firings.lit", 511},
			{"%s <= firings.lit_utc", 511},
			{"%s > firings.due", 127},
			{"%s = firings.due", 128},
			{"DATE_TRUNC('hour', %s) = firings.lit", 255},
			{"DATE_TRUNC('day', %s) = firings.lit", 128},
			{"CAST(firings.due AS TIMESTAMP) > DATE_TRUNC('day', %s)", 256},
			{"CAST(firings.due AS TIMESTAMP) = DATE_TRUNC('day', %s)", 255},
			{"DATE_TRUNC('day', %s + INTERVAL '15' HOUR) = TIMESTAMP '2024-03-02 00:00:00'", 383},
			{"DATE_TRUNC('day', %s - INTERVAL '10' HOUR) < firings.due", 511},
			{"GREATEST(%s, TIMESTAMP '2024-03-01 08:59:00') = firings.lit", 383},
			{"NULLIF(%s, TIMESTAMP '2024-03-01 09:00:00') IS NULL", 639},
			{"COALESCE(%s, firings.lit) = TIMESTAMP '2024-03-01 09:00:00'", 127},
			{"CASE WHEN firings.weight < 64 THEN %s ELSE firings.lit END = TIMESTAMP '2024-03-01 09:00:00'", 127},
			{"CASE %s WHEN TIMESTAMP '2024-03-01 09:00:00' THEN 1 END = 1", 127},
		} {
			condition := fmt.Sprintf(test.condition, "firings."+field)
			checkTotal(t, e, `"where_sql":`+quoteJSON(condition), condition, strconv.Itoa(test.want))
		}
		checkTotal(t, e, `"time_range":{"dimension":"firings.`+field+`","start":"2024-03-01","end":"2024-03-02"}`, field+" by its range", "511")
	}
	for condition, want := range map[string]int{
		"firings.due = DATE '2024-03-01'": 255, "firings.due > DATE '2024-03-01'": 256, "firings.due IN (DATE '2024-03-01', DATE '2024-03-03')": 255,
		"firings.due <= DATE '2024-03-01'": 255, "firings.due BETWEEN DATE '2024-02-01' AND DATE '2024-03-01'": 255,
	} {
		checkTotal(t, e, `"where_sql":`+quoteJSON(condition), condition, strconv.Itoa(want))
	}
}

// TestDataChecks_SQLiteTimeForms names the columns whose texts do not sort as their times.
func TestDataChecks_SQLiteTimeForms(t *testing.T) {
	for _, test := range []struct{ values, want string }{
		{"('2024-03-01T09:00:00'), ('2024-03-01T10:00:00.5'), (NULL), ('2024-03-02')", ""},
		{"('2024-03-01 09:00:00'), ('2024-03-01'), ('2024-03-02 09:00')", ""},
		{"('2024-03-01T09:00:00+01:00'), ('2024-03-01T10:00:00+01:00')", ""},
		{"('2024-03-01T09:00:00'), ('2024-03-01 10:00:00')", "the times of firings.lit are texts in 2 forms, for example `2024-03-01 10:00:00` and `2024-03-01T09:00:00`"},
		{"('2024-03-01T09:00:00+01:00'), ('2024-07-01T10:00:00+02:00')", "the times of firings.lit are texts in 2 forms, for example `2024-03-01T09:00:00+01:00` and `2024-07-01T10:00:00+02:00`"},
		{"('2024-03-01T09:00:00Z'), ('2024-07-01T10:00:00-02:00')", "the times of firings.lit are texts in 2 forms, for example `2024-03-01T09:00:00Z` and `2024-07-01T10:00:00-02:00`"},
	} {
		for _, datatype := range []string{"DateTime", "DateTimeTz"} {
			checkTimeForms(t, datatype, test.values, test.want)
		}
	}
	const late = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT CASE WHEN i = 1500 THEN '1.3.2024' ELSE '2024-03-01' END FROM n"
	checkTimeForms(t, "Date", late, "1 of 1500 values of firings.lit are not times that the warehouse reads, for example `1.3.2024`")
}

// checkTimeForms checks a column lit with some values, or those of a query.
func checkTimeForms(t *testing.T, datatype, values, want string) {
	t.Helper()
	if strings.HasPrefix(values, "(") {
		values = "VALUES " + values
	}
	db := loadScriptOn(t, servers.SQLite(t), "CREATE TABLE firings (lit TEXT);\nINSERT INTO firings "+values+";\n")
	model := modelOf([]string{modelDataset("firings", "firings", "", modelField("lit", datatype, "", ""))}, "", metricLine("n", "COUNT(firings.lit)"))
	var got []string
	for _, i := range checkData(t, db, model, datacheck.Options{}) {
		message, _, _ := strings.Cut(i.Message, ": conditions")
		got = append(got, string(i.Severity)+" "+i.Code+" "+i.Location+" "+message)
	}
	var wanted []string
	if want != "" {
		wanted = []string{"error time_format_mismatch datasets[0].fields[0] " + want}
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("%s of %s: %s", datatype, values, diff)
	}
}

func quoteJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// checkTotal asks for the metric total with more keys of the query.
func checkTotal(t *testing.T, e *engine.Engine, keys, name, want string) {
	t.Helper()
	q, err := query.DecodeMetric([]byte(`{"metrics":["total"],"connection":"w",` + keys + `}`))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	result, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	got, _ := json.Marshal(result.Rows)
	if diff := cmp.Diff(`[{"total":`+want+`}]`, string(got)); diff != "" {
		t.Errorf("%s: %s\n%s", name, diff, result.SQL)
	}
}

// openModelOn opens a model over a script's tables on a server, as the connection w.
func openModelOn(t *testing.T, s *servers.Server, model, script string) *engine.Engine {
	t.Helper()
	return openModelOver(t, loadScriptOn(t, s, script), model)
}

// openModelOver opens a model over a database, as the connection w.
func openModelOver(t *testing.T, db executor.Executor, model string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(model), Connections: []engine.ProgramConnection{{Name: "w", Executor: db}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// loadScriptOn runs a script on a server, in a separate database for the test.
func loadScriptOn(t *testing.T, s *servers.Server, script string) executor.Executor {
	t.Helper()
	db, err := s.Load(t.Context(), t.Name(), script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = db.Close()
		_ = s.Drop(context.WithoutCancel(t.Context()), t.Name())
	})
	return db
}
