package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

const bakeryModel = `
version: 0.2.0.dev0
name: bakery
datasets:
  - name: batches
    source: batches
    primary_key: [batch]
    fields:
      - {name: batch, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: batch}]}}
      - {name: oven, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: oven}]}}
      - {name: loaves, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: loaves}]}}
metrics:
  - {name: loaves_total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(batches.loaves)}]}}
`

func openBakery(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(bakeryModel), Drivers: []warehouse.Driver{duckdb.Driver()},
		Setup: []string{"CREATE TABLE batches AS SELECT * FROM (VALUES (1, 'brick', 10), (2, 'brick', 5), (3, 'steel', 7)) AS t(batch, oven, loaves)"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// chain writes a WITH clause of several levels, each of which reads the level before through one template.
func chain(levels int, template string) string {
	items := []string{"a0 AS (SELECT oven, MEASURE(loaves_total) AS n FROM batches GROUP BY 1)"}
	for i := 1; i < levels; i++ {
		items = append(items, fmt.Sprintf("a%d AS (%s)", i, strings.ReplaceAll(template, "$", fmt.Sprintf("a%d", i-1))))
	}
	return "WITH " + strings.Join(items, ", ")
}

// repeatedReads are levels that read the level before several times. The last level of four has the rows.
var repeatedReads = []struct{ name, template, last, rows string }{
	// 15 and 7 loaves, doubled three times.
	{"join", "SELECT x.oven, x.n + y.n AS n FROM $ x JOIN $ y ON x.oven = y.oven", "SELECT * FROM %s ORDER BY 1", `[{"oven":"brick","n":120},{"oven":"steel","n":56}]`},
	// Two ovens, doubled three times.
	{"union", "SELECT * FROM $ UNION ALL SELECT * FROM $", "SELECT oven, COUNT(*) AS c FROM %s GROUP BY 1 ORDER BY 1", `[{"oven":"brick","c":8},{"oven":"steel","c":8}]`},
	{"in", "SELECT oven, n FROM $ WHERE oven IN (SELECT oven FROM $) AND oven IN (SELECT oven FROM $)", "SELECT oven FROM %s ORDER BY 1", `[{"oven":"brick"},{"oven":"steel"}]`},
	// 15 is above the least, and 7 below the greatest.
	{"scalar subqueries", "SELECT oven, SUM(n) AS n FROM $ GROUP BY 1 HAVING SUM(n) > (SELECT MIN(n) FROM $) OR SUM(n) < (SELECT MAX(n) FROM $)", "SELECT * FROM %s ORDER BY 1", `[{"oven":"brick","n":15},{"oven":"steel","n":7}]`},
	{"semi-join", "SELECT x.oven, x.n FROM $ x JOIN (SELECT DISTINCT oven FROM $) y ON x.oven = y.oven", "SELECT * FROM %s ORDER BY 1", `[{"oven":"brick","n":15},{"oven":"steel","n":7}]`},
	{"derived table", "SELECT x.oven, x.n - y.n AS n FROM (SELECT oven, n + n AS n FROM $) x LEFT JOIN (SELECT oven, n FROM $) y ON x.oven = y.oven", "SELECT * FROM %s ORDER BY 1", `[{"oven":"brick","n":15},{"oven":"steel","n":7}]`},
}

func TestSQL_RepeatedCommonTableHasItsRows(t *testing.T) {
	e := openBakery(t)
	for _, test := range repeatedReads {
		t.Run(test.name, func(t *testing.T) {
			sql := chain(4, test.template) + " " + fmt.Sprintf(test.last, "a3")
			got, err := askRows(t.Context(), e, &query.SQLStatement{SQL: sql})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.rows, string(got.Rows)); diff != "" {
				t.Fatalf("%s\n%s", diff, got.SQL)
			}
		})
	}
}

func TestSQL_RepeatedCommonTableIsPrintedOnce(t *testing.T) {
	e := openBakery(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, test := range repeatedReads {
		for _, dialect := range []string{"duckdb", "postgres", "mysql", "clickhouse", "bigquery"} {
			t.Run(test.name+" "+dialect, func(t *testing.T) {
				got, err := askSQL(ctx, e, &query.SQLStatement{SQL: chain(16, test.template) + " " + fmt.Sprintf(test.last, "a15"), Dialect: dialect})
				if err != nil {
					t.Fatal(err)
				}
				if reads := strings.Count(got.SQL, "FROM batches"); len(got.SQL) >= 20_000 || reads != 1 {
					t.Errorf("%d bytes, %d reads of the table:\n%.3000s", len(got.SQL), reads, got.SQL)
				}
				if _, err := askPlan(ctx, e, &query.SQLStatement{SQL: chain(24, test.template) + " " + fmt.Sprintf(test.last, "a23"), Dialect: dialect}); err != nil {
					t.Errorf("24 levels: %v", err)
				}
			})
		}
	}
}

// What merging multiplies is counted in all parts of the statement together.
func TestSQL_MergedExpressionsAreCountedTogether(t *testing.T) {
	e := openBakery(t)
	items := []string{"b0 AS (SELECT oven, loaves AS n FROM batches)"}
	for i := 1; i < 14; i++ {
		items = append(items, fmt.Sprintf("b%d AS (SELECT oven, n + n AS n FROM b%d)", i, i-1))
	}
	arms := strings.Repeat(" UNION ALL SELECT oven, SUM(n) FROM b13 GROUP BY 1", 60)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	begun := time.Now()
	_, err := askSQL(ctx, e, &query.SQLStatement{SQL: "WITH " + strings.Join(items, ", ") + " SELECT oven, SUM(n) FROM b13 GROUP BY 1" + arms})
	t.Logf("refused after %v", time.Since(begun))
	var refused *engine.SQLError
	if !errors.As(err, &refused) || refused.SQLState != "54000" {
		t.Fatalf("%v", err)
	}
}

func TestSQL_NestedSubqueriesArePlannedOnce(t *testing.T) {
	e := openBakery(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const with = "WITH a0 AS (SELECT oven, MEASURE(loaves_total) AS n FROM batches GROUP BY 1) "
	for name, template := range map[string]string{
		"an item":              "SELECT MAX(n + ($)) AS n FROM a0",
		"a group and an order": "SELECT MAX(n) AS n FROM a0 GROUP BY n + ($) ORDER BY n + ($) LIMIT 1",
		"HAVING":               "SELECT MAX(n) AS n FROM a0 HAVING MAX(n) > ($) AND MAX(n) < ($)",
		"rows of the model":    "SELECT MAX(loaves) AS n FROM batches WHERE loaves > ($)",
	} {
		t.Run(name, func(t *testing.T) {
			sql, levels := "SELECT MAX(n) AS n FROM a0", 24
			if strings.Count(template, "$") > 1 {
				levels = 5 // the text doubles
			}
			for range levels {
				sql = strings.ReplaceAll(template, "$", sql)
			}
			begun := time.Now()
			_, err := askSQL(ctx, e, &query.SQLStatement{SQL: with + sql})
			t.Logf("%d bytes after %v: %v", len(sql), time.Since(begun), err)
			if ctx.Err() != nil {
				t.Fatal("the statement does not compile within a minute")
			}
		})
	}
}
