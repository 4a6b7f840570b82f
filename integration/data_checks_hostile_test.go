package integration_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

func openData(t *testing.T, setup ...string) executor.Executor {
	t.Helper()
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: setup, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// A value of the data is shown on one line, clipped, without what a terminal would obey.
func TestDataChecks_HostileValuesAreHarmless(t *testing.T) {
	model := modelOf([]string{modelDataset("orders", "orders", "    primary_key: [id]\n", modelField("id", "String", "", ""))}, "", "")
	for name, value := range map[string]string{
		"a line break":     "a\nb\r\nc",
		"an escape":        "\x1b[2J\x1b]0;title\x07",
		"a null character": "a\x01b",
		"a megabyte":       strings.Repeat("x", 1<<20),
		"wide characters":  strings.Repeat("数", 500),
		"a workflow":       "%0A::error::pwned",
		"quotes":           "'; DROP TABLE orders; --\"`",
		"nothing":          "",
	} {
		t.Run(name, func(t *testing.T) {
			literal := "'" + strings.ReplaceAll(value, "'", "''") + "'"
			db := openData(t, "CREATE TABLE orders (id VARCHAR)", "INSERT INTO orders VALUES ("+literal+"), ("+literal+")")
			found := checkData(t, db, model, datacheck.Options{})
			if len(found) != 1 || found[0].Code != datacheck.CodeKeyNotUnique {
				t.Fatalf("%v", found)
			}
			message := found[0].Message
			if !utf8.ValidString(message) || utf8.RuneCountInString(message) > 250 || strings.ContainsFunc(message, unicode.IsControl) {
				t.Errorf("the message is %.400q", message)
			}
		})
	}
}

// One broken column among a thousand is found by halves, not by a thousand statements.
func TestDataChecks_ManyFields(t *testing.T) {
	const fields = 1000
	columns, list := make([]string, fields), make([]string, fields)
	for i := range fields {
		columns[i] = fmt.Sprintf("c%d INTEGER", i)
		list[i] = modelField(fmt.Sprintf("c%d", i), "Integer", "", "")
	}
	columns[637] = "other INTEGER"
	db := &countedStatements{Executor: openData(t, "CREATE TABLE wide ("+strings.Join(columns, ", ")+")")}
	found := findingTexts(checkData(t, db, modelOf([]string{modelDataset("wide", "wide", "", list...)}, "", ""), datacheck.Options{}))
	if len(found) != 1 || !strings.HasPrefix(found[0], "error column_not_found at datasets[0].fields[637].expression: wide.c637 reads the column `c637`") {
		t.Errorf("%q", found)
	}
	if db.count > 60 {
		t.Errorf("%d statements", db.count)
	}
}

type countedStatements struct {
	executor.Executor
	count int
}

func (c *countedStatements) Query(ctx context.Context, sql string) (executor.Rows, error) {
	c.count++
	return c.Executor.Query(ctx, sql)
}

// Fields with a level of detail, and metrics with windows and parameters, are judged by the fields that they read.
func TestDataChecks_ComputedObjects(t *testing.T) {
	model := func(amount string) string {
		return modelOf([]string{
			modelDataset("orders", "WITH o AS (SELECT 1 AS id, 7 AS buyer, 5 AS amount, DATE '2024-01-31' AS day) SELECT * FROM o -- one", ordersKey,
				modelField("id", "Integer", "", ""), modelField("buyer", "Integer", "", ""), modelField("amount", "Integer", amount, ""), modelField("day", "Date", "", "")),
			modelDataset("customers", "SELECT 7 AS id", ordersKey, modelField("id", "Integer", "", ""),
				modelField("spent", "Integer", "SUM(orders.amount)", `"lod": {"grain": ["id"]}`), modelField("twice", "Integer", "spent * 2", "")),
		}, "  - {name: bought, from: orders, to: customers, from_columns: [buyer], to_columns: [id]}\n",
			metricLine("revenue", "SUM(orders.amount)")+metricLine("half", "revenue / 2")+metricLine("spenders", "SUM(customers.twice)")+
				"  - name: so_far\n    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}\n"+
				"    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"window\": {\"type\": \"cumulative\", \"function\": \"sum\"}}'}]\n"+
				"  - name: above\n    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN orders.amount > 50 THEN orders.amount END)}]}\n"+
				"    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"derive\": {\"type\": \"filter\", \"base\": \"revenue\", \"where\": \"amount > :t\"}, \"params\": [{\"name\": \"t\", \"type\": \"int\", \"min\": 0, \"max\": 9}]}'}]\n")
	}
	db := &countedStatements{Executor: openData(t)}
	if d := cmp.Diff([]string{}, findingTexts(checkData(t, db, model("amount"), datacheck.Options{}))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	clean := db.count
	db.count = 0
	want := []string{"error column_not_found at datasets[0].fields[2].expression: orders.amount reads the column `amonut`, which the source of orders does not have; nearest: amount"}
	if d := cmp.Diff(want, findingTexts(checkData(t, db, model("amonut"), datacheck.Options{}))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if clean < 12 {
		t.Errorf("only %d statements: fields and metrics were left out", clean)
	}
}
