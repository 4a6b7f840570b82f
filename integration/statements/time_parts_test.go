package statements

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// glazesModel has batches of glaze by an instant, by a stored month and by a day.
const glazesModel = `
version: 0.2.0.dev0
semantic_model:
  - name: studio
    datasets:
      - name: batches
        source: batches
        primary_key: [batch_id]
        fields:
          - {name: batch_id, expression: {dialects: [{dialect: ANSI_SQL, expression: batch_id}]}, datatype: Integer}
          - {name: mixed_at, expression: {dialects: [{dialect: ANSI_SQL, expression: mixed_at}]}, datatype: DateTimeTz}
          - {name: sold_month, expression: {dialects: [{dialect: ANSI_SQL, expression: sold_month}]}, datatype: Integer, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "requires": ["time"], "time": {"format": "yyyyMM"}}'}]}
          - {name: due, expression: {dialects: [{dialect: ANSI_SQL, expression: due}]}, datatype: Date}
          - {name: litres, expression: {dialects: [{dialect: ANSI_SQL, expression: litres}]}, datatype: Integer}
    metrics:
      - {name: all_litres, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(batches.litres)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "mixed_at"}'}]}
`

const glazesData = `
CREATE TABLE batches (batch_id INTEGER, mixed_at TIMESTAMP WITH TIME ZONE, sold_month INTEGER, due DATE, litres INTEGER);
INSERT INTO batches VALUES
 (1, '2023-12-31 23:30:00+00', 202401, '2024-01-07', 3), (2, '2024-01-31 23:30:00+00', 202402, '2024-01-08', 5),
 (3, '2024-02-10 12:00:00+00', 202402, '2024-02-11', 7), (4, NULL, NULL, NULL, 11);
`

func glazes(t *testing.T) (*semsql.Model, executor.Executor) {
	t.Helper()
	doc, err := modelspec.Parse([]byte(glazesModel))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{glazesData}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return semsql.New(cat), db
}

// EXTRACT of a part is the part of the query, in the session's zone: bodies of JSON have the same rows.
func TestTimeParts_AreThoseOfQueries(t *testing.T) {
	model, _ := glazes(t)
	for _, c := range []struct {
		group string
		want  query.GroupBy
	}{
		{"EXTRACT(HOUR FROM mixed_at)", query.GroupBy{Field: "batches.mixed_at", Part: "hour_of_day"}},
		{"EXTRACT(ISODOW FROM mixed_at)", query.GroupBy{Field: "batches.mixed_at", Part: "day_of_week"}},
		{"EXTRACT(DAY FROM mixed_at)", query.GroupBy{Field: "batches.mixed_at", Part: "day_of_month"}},
		{"EXTRACT(DOY FROM mixed_at)", query.GroupBy{Field: "batches.mixed_at", Part: "day_of_year"}},
		{"EXTRACT(WEEK FROM CAST(mixed_at AS DATE))", query.GroupBy{Field: "batches.mixed_at", Part: "week_of_year"}},
		{"DATE_PART('month', mixed_at)", query.GroupBy{Field: "batches.mixed_at", Part: "month_of_year"}},
		{"EXTRACT(QUARTER FROM due)", query.GroupBy{Field: "batches.due", Part: "quarter_of_year"}},
		{"EXTRACT(MONTH FROM sold_month)", query.GroupBy{Field: "batches.sold_month", Part: "month_of_year"}},
		{"EXTRACT(MONTH FROM metric_time)", query.GroupBy{Field: "metric_time", Part: "month_of_year"}},
	} {
		for _, zone := range []string{"Europe/Berlin", ""} {
			compiled, err := model.Compile(t.Context(), semsql.Statement{SQL: "SELECT " + c.group + " AS p, MEASURE(all_litres) AS l FROM studio GROUP BY 1 LIMIT 10", TimeZone: zone}, targetOf(dialect(t, "duckdb")))
			if err != nil {
				t.Errorf("%s: %v", c.group, err)
				continue
			}
			if compiled.Metric == nil {
				t.Errorf("%s in %s has no equal query", c.group, zone)
				continue
			}
			c.want.Name = "p"
			if d := cmp.Diff([]query.GroupBy{c.want}, compiled.Metric.GroupBy); d != "" || compiled.Metric.TimeZone != zone {
				t.Errorf("%s in %q: - wanted, + got\n%s", c.group, compiled.Metric.TimeZone, d)
			}
		}
	}
}

func TestTimeParts_OfCodesAndMetricTime(t *testing.T) {
	model, db := glazes(t)
	for _, c := range []struct {
		sql  string
		want [][]any
	}{
		{"SELECT EXTRACT(MONTH FROM sold_month) AS m, SUM(litres) AS l FROM batches GROUP BY 1 ORDER BY 1", [][]any{{"1", "3"}, {"2", "12"}, {nil, "11"}}},
		{"SELECT TO_CHAR(sold_month, 'Q') AS q, SUM(litres) AS l FROM batches GROUP BY 1 ORDER BY 1", [][]any{{"1", "15"}, {nil, "11"}}},
		{"SELECT batch_id, EXTRACT(MONTH FROM sold_month) AS m, TO_CHAR(sold_month, 'MM') AS t FROM batches ORDER BY 1", [][]any{{"1", "1", "01"}, {"2", "2", "02"}, {"3", "2", "02"}, {"4", nil, nil}}},
		{"SELECT batch_id, HOUR(mixed_at) AS h, MONTH(mixed_at) AS m FROM batches WHERE YEAR(mixed_at) = 2024 ORDER BY 1", [][]any{{"1", "0", "1"}, {"2", "0", "2"}, {"3", "13", "2"}}},
		{"SELECT TO_CHAR(metric_time, 'MM') AS m, MEASURE(all_litres) AS l FROM studio GROUP BY 1 ORDER BY 1", [][]any{{"01", "3"}, {"02", "12"}, {nil, "11"}}},
		{"SELECT EXTRACT(DOW FROM due) AS d, EXTRACT(ISODOW FROM due) AS i, SUM(litres) AS l FROM batches GROUP BY 1, 2 ORDER BY 1, 2", [][]any{{"0", "7", "10"}, {"1", "1", "5"}, {nil, nil, "11"}}},
	} {
		compiled, err := model.Compile(t.Context(), semsql.Statement{SQL: c.sql, TimeZone: "Europe/Berlin"}, targetOf(dialect(t, "duckdb")))
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		text, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, "duckdb"), sqlemit.FormatOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := servers.QueryTable(t.Context(), db, text, compiled.Planned.Columns)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.sql, err, text)
			continue
		}
		var rows [][]any
		for _, row := range got.Rows {
			cells := make([]any, len(row))
			for i, v := range row {
				if v.Kind != 0 {
					cells[i] = v.Text
				}
			}
			rows = append(rows, cells)
		}
		if d := cmp.Diff(c.want, rows); d != "" {
			t.Errorf("%s: - wanted, + got\n%s\n%s", c.sql, d, text)
		}
	}
}

func TestToChar_RejectsOtherFormats(t *testing.T) {
	model, _ := glazes(t)
	for _, format := range []string{"'YYYY-IW'", "'BC'", "'AD'", "'CC'", "'TZ'", "'OF'", "'FX'", "'TMMonth'", "'IDDD'", "'YY'", "'Day'", "''", "'DDth'", "'FM'", "batch_id", "NULL"} {
		_, err := model.Compile(t.Context(), semsql.Statement{SQL: "SELECT TO_CHAR(due, " + format + ") AS t, SUM(litres) AS l FROM batches GROUP BY 1"}, targetOf(dialect(t, "duckdb")))
		var e *semsql.Error
		if !errors.As(err, &e) || e.Code != "sql_unsupported" || e.SQLState != "0A000" {
			t.Errorf("%s: %v", format, err)
		} else if format[0] == '\'' && !slices.Contains(e.Candidates, "HH24") {
			t.Errorf("%s: candidates %v", format, e.Candidates)
		}
	}
	_, err := model.Compile(t.Context(), semsql.Statement{SQL: "SELECT TO_CHAR(litres, '999') AS t FROM batches"}, targetOf(dialect(t, "duckdb")))
	var e *semsql.Error
	if !errors.As(err, &e) || e.Code != "sql_unsupported" {
		t.Errorf("a number: %v", err)
	}
	for _, format := range []string{"CC", "TZ", "OF", "FX", "TM"} {
		for _, function := range []string{"TO_DATE", "TO_TIMESTAMP"} {
			_, err := model.Compile(t.Context(), semsql.Statement{SQL: "SELECT " + function + "('2024', '" + format + "') AS t FROM batches"}, targetOf(dialect(t, "duckdb")))
			if !errors.As(err, &e) || e.Code != "sql_unsupported" || e.SQLState != "0A000" {
				t.Errorf("%s by %s: %v", function, format, err)
			}
		}
	}
}
