package engine_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// poisoned is the table of the rollup, whose sums differ from those of the orders: a result shows which of them it was read from. It was built at noon.
const poisoned = `CREATE TABLE by_status (status VARCHAR, amount INTEGER, n INTEGER, built_at TIMESTAMP);
INSERT INTO by_status VALUES ('completed', 35000, 4, '2026-01-01 12:00:00'), ('cancelled', 10000, 2, '2026-01-01 12:30:00')`

const byStatus = `{"name": "by_status", "of": "orders", "group_by": [{"field": "orders.status", "column": "status"}],
 "measures": [{"expression": "SUM(orders.amount)", "column": "amount"}, {"expression": "COUNT(*)", "column": "n"}]`

// rolledShop returns the model of the six orders with rollups, at ten minutes past noon.
func rolledShop(t *testing.T, c engine.Config, rollups string, setup ...string) *engine.Engine {
	t.Helper()
	c.ModelText = []byte(rolledModel(t, rollups))
	c.Setup = append([]string{read(t, "testdata/orders.sql")}, setup...)
	if c.Now == nil {
		c.Now = func() time.Time { return time.Date(2026, 1, 1, 12, 10, 0, 0, time.UTC) }
	}
	return open(t, c)
}

// rolledModel returns the model of the shop with rollups.
func rolledModel(t *testing.T, rollups string) string {
	t.Helper()
	model := read(t, "testdata/orders.yaml")
	at := strings.Index(model, "    datasets:")
	return model[:at] + "    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"rollups\": [" + rollups + "]}'}]\n" + model[at:]
}

// wantRolled executes a query and compares its rows and its report without the messages.
func wantRolled(t *testing.T, e preparer, body, rows, report string) {
	t.Helper()
	got, err := askRows(t.Context(), e, metricQuery(t, body))
	if err != nil {
		t.Errorf("%s: %v", body, err)
		return
	}
	for i := range got.Rollups {
		for j := range got.Rollups[i].WhyNot {
			got.Rollups[i].WhyNot[j].Message, got.Rollups[i].WhyNot[j].Subject = "", ""
		}
	}
	text, err := json.Marshal(got.Rollups)
	if err != nil {
		t.Fatal(err)
	}
	if plain := strings.ReplaceAll(string(text), `,"message":""`, ""); string(got.Rows) != rows || plain != report {
		t.Errorf("%s\n%s %s\nwant\n%s %s", body, got.Rows, plain, rows, report)
	}
}

const (
	revenueBody = `{"metrics":["revenue"]}`
	baseRows    = `[{"revenue":450}]`
	rolledRows  = `[{"revenue":45000}]`
)

func baseBy(rule string) string {
	return `[{"home":"orders","metrics":["revenue"],"rollup":null,"why_not":[{"rollup":"by_status","rule":"` + rule + `"}]}]`
}

const rolledReport = `[{"home":"orders","metrics":["revenue"],"rollup":"by_status","store":"connection"}]`

func TestRollups_ResultChangesExactlyWhereTheReportNamesOne(t *testing.T) {
	e := rolledShop(t, engine.Config{}, byStatus+"}", poisoned)
	wantRolled(t, e, revenueBody, rolledRows, rolledReport)
	wantRolled(t, e, `{"metrics":["revenue"],"rollups":false}`, baseRows, "null")
	wantRolled(t, e, `{"metrics":["revenue"],"rollups":"only"}`, rolledRows, rolledReport)
	wantRolled(t, e, `{"metrics":["revenue"],"max_age":0}`, baseRows, baseBy("max_age"))
	wantRolled(t, e, `{"metrics":["revenue"],"where_sql":"orders.status = 'cancelled'"}`, `[{"revenue":10000}]`, rolledReport)
	wantRolled(t, e, `{"metrics":["revenue"],"where_sql":"orders.amount > 0"}`, baseRows, baseBy("filter"))
}

func TestRollups_TableThatIsMissingLeavesTheBaseTables(t *testing.T) {
	for name, setup := range map[string][]string{
		"no table": nil, "a column less": {`CREATE TABLE by_status AS SELECT 'x' AS status, 1 AS amount`},
	} {
		t.Run(name, func(t *testing.T) {
			e := rolledShop(t, engine.Config{}, byStatus+"}", setup...)
			wantRolled(t, e, revenueBody, baseRows, baseBy("unavailable"))
			_, err := askRows(t.Context(), e, metricQuery(t, `{"metrics":["revenue"],"rollups":"only"}`))
			var refused *planerr.Error
			if !errors.As(err, &refused) || refused.Code != planerr.CodeNoRollup || refused.SuggestedRetry != `{"rollups":true}` {
				t.Errorf("%v, want no_rollup", err)
			}
			if c, err := askSQL(t.Context(), e, metricQuery(t, revenueBody)); err != nil || !strings.Contains(c.SQL, "by_status") {
				t.Errorf("%v, %v: compilation reads no state", c, err)
			}
			if known := e.Rollups(t.Context())[0].States; len(known) != 1 || known[0].Available || known[0].Definition != "unknown" {
				t.Errorf("%+v", known)
			}
		})
	}
}

// The greatest of some texts is not the greatest of the numbers that they show.
func TestRollups_ColumnsOfOtherKindsLeaveTheBaseTables(t *testing.T) {
	const largest = `{"name": "by_status", "of": "orders", "group_by": [{"field": "orders.status", "column": "status"}], "measures": [{"expression": "MAX(orders.amount)", "column": "most"}]}`
	const table = "CREATE TABLE by_status AS SELECT status, CAST(MAX(amount) AS TYPE) AS most FROM orders GROUP BY 1"
	const body, rows = `{"metrics":[{"name":"largest","expression":"MAX(orders.amount)"}]}`, `[{"largest":120}]`
	report := func(text string) string { return strings.Replace(text, `"revenue"`, `"largest"`, 1) }
	e := rolledShop(t, engine.Config{}, largest, strings.Replace(table, "TYPE", "VARCHAR", 1))
	got, err := askRows(t.Context(), e, metricQuery(t, body))
	if err != nil || got.Rollups[0].WhyNot[0].Message != "its column most holds texts where the base tables give numbers" {
		t.Errorf("%v, %+v", err, got)
	}
	wantRolled(t, e, body, rows, report(baseBy("unavailable")))
	if known := e.Rollups(t.Context())[0].States; len(known) != 1 || known[0].Available {
		t.Errorf("%+v", known)
	}
	e = rolledShop(t, engine.Config{}, largest, strings.Replace(table, "TYPE", "DOUBLE", 1))
	wantRolled(t, e, body, rows, report(rolledReport))
}

// A table that a statement made from columns of another type than the model declares has the types of these columns.
func TestRollups_ColumnsOfMistypedTablesServe(t *testing.T) {
	const largest = `{"name": "by_status", "of": "orders", "group_by": [{"field": "orders.status", "column": "status"}], "measures": [{"expression": "MAX(orders.amount)", "column": "most"}]}`
	const texts = "CREATE OR REPLACE TABLE orders AS SELECT * REPLACE (CAST(amount AS VARCHAR) AS amount) FROM orders"
	const body = `{"metrics":[{"name":"largest","expression":"MAX(orders.amount)"}]}`
	report := func(text string) string { return strings.Replace(text, `"revenue"`, `"largest"`, 1) }
	for table, want := range map[string]string{
		"CREATE TABLE by_status AS SELECT status, MAX(amount) AS most FROM orders GROUP BY 1":                 rolledReport,
		"CREATE TABLE by_status AS SELECT status, CAST(MAX(amount) AS DOUBLE) AS most FROM orders GROUP BY 1": baseBy("unavailable"),
	} {
		e := rolledShop(t, engine.Config{}, largest, texts, table)
		got, err := askRows(t.Context(), e, metricQuery(t, body))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := askRows(t.Context(), e, metricQuery(t, strings.TrimSuffix(body, "}")+`,"rollups":false}`))
		if err != nil {
			t.Fatal(err)
		}
		if why := got.Rollups[0].WhyNot; len(why) > 0 && why[0].Message != "its column most holds numbers where the base tables give texts" {
			t.Errorf("%+v", why)
		}
		wantRolled(t, e, body, string(plain.Rows), report(want))
	}
}

func TestRollups_OlderOnesServeNoQuery(t *testing.T) {
	const asOf = byStatus + `, "as_of": "MIN(built_at)"`
	report := strings.Replace(rolledReport, `"connection"}`, `"connection","as_of":"2026-01-01T12:00:00Z"}`, 1)
	e := rolledShop(t, engine.Config{}, asOf+"}", poisoned)
	wantRolled(t, e, revenueBody, rolledRows, report)
	wantRolled(t, e, `{"metrics":["revenue"],"max_age":600}`, rolledRows, report)
	wantRolled(t, e, `{"metrics":["revenue"],"max_age":599}`, baseRows, baseBy("max_age"))
	if known := e.Rollups(t.Context())[0].States; len(known) != 1 || !known[0].Available || known[0].AsOf != "2026-01-01T12:00:00Z" {
		t.Errorf("%+v", known)
	}
	wantRolled(t, rolledShop(t, engine.Config{}, asOf+`, "max_age": 600}`, poisoned), revenueBody, rolledRows, report)
	wantRolled(t, rolledShop(t, engine.Config{}, asOf+`, "max_age": 599}`, poisoned), revenueBody, baseRows, baseBy("max_age"))
	wantRolled(t, rolledShop(t, engine.Config{}, byStatus+`, "max_age": 1000000}`, poisoned), revenueBody, baseRows, baseBy("max_age"))
}

// Compilation reads no state, and a rollup whose age nothing declares or records is not read where an age is given.
func TestRollups_CompilationJudgesAnAgeByTheDeclaration(t *testing.T) {
	for rollup, reads := range map[string]bool{byStatus + "}": false, byStatus + `, "as_of": "MIN(built_at)"}`: true} {
		e := rolledShop(t, engine.Config{}, rollup, poisoned)
		for body, want := range map[string]bool{revenueBody: true, `{"metrics":["revenue"],"max_age":9}`: reads, `{"metrics":["revenue"],"max_age":0}`: false} {
			c, err := askSQL(t.Context(), e, metricQuery(t, body))
			if err != nil || strings.Contains(c.SQL, "by_status") != want {
				t.Errorf("%s: %+v, %v", body, c, err)
			}
		}
	}
}

func TestRollups_NextBestServesWhereOneIsMissing(t *testing.T) {
	other := strings.Replace(byStatus, `"by_status", "of"`, `"smaller", "of"`, 1) + `, "rows": 1}`
	e := rolledShop(t, engine.Config{}, byStatus+`, "rows": 2}, `+other, poisoned)
	wantRolled(t, e, revenueBody, rolledRows, rolledReport)
}

func TestRollups_AreReadOnTheirConnectionsAlone(t *testing.T) {
	wantRolled(t, rolledShop(t, engine.Config{}, byStatus+`, "connections": [""]}`, poisoned), revenueBody, rolledRows, rolledReport)
	wantRolled(t, rolledShop(t, engine.Config{}, byStatus+`, "connections": ["dw"]}`, poisoned), revenueBody, baseRows, baseBy("connection"))
	wantRolled(t, rolledShop(t, engine.Config{}, byStatus+`, "store": "local"}`, poisoned), revenueBody, baseRows, baseBy("local"))
}

func TestRollups_ReadersSeeNoRowsThatARuleHides(t *testing.T) {
	const policies = `version: 1
attributes: {region: {type: string}}
roles:
  one: {datasets: {orders: {rows: "status = :user.region", fields: all}}, metrics: all}
  masked: {datasets: {orders: {rows: all, fields: all, mask: {amount: "0"}}}, metrics: all}
  whole: {datasets: {orders: {rows: all, fields: all}}, metrics: all}
`
	e := rolledShop(t, engine.Config{PoliciesPath: "policies.yaml", PoliciesText: []byte(policies)}, byStatus+"}", poisoned)
	for _, c := range []struct{ role, rows, report string }{
		{"one", `[{"revenue":10000}]`, rolledReport}, {"masked", `[{"revenue":0}]`, baseBy("policy")}, {"whole", rolledRows, rolledReport},
	} {
		r, err := e.AsClaims(t.Context(), access.Claims{Name: c.role, Roles: []string{c.role}, Attributes: map[string]any{"region": "cancelled"}})
		if err != nil {
			t.Fatal(err)
		}
		wantRolled(t, r, revenueBody, c.rows, c.report)
	}
}

// A field that reads a masked one, or a row of a dataset with a rule, has other values for the reader than the rollup has.
func TestRollups_ReadersSeeNoValuesThatFieldsReadFromWhatIsMasked(t *testing.T) {
	const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: twice, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount * 2}]}}
      - {name: four, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: twice * 2}]}}
      - {name: buyer, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: UPPER(customers.name)}]}}
  - name: customers
    source: customers
    primary_key: [customer_id]
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: name, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
      - {name: initial, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUBSTRING(name, 1, 1)"}]}}
relationships:
  - {name: buys, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: fourfold, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.four)}]}}
  - {name: order_rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.customer_id)}]}}
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "rollups": [{"name": "kept", "of": "orders", "source": "kept", "where": "WHERE",
        "group_by": [{"field": "orders.buyer", "column": "buyer"}, {"field": "customers.initial", "column": "initial"}],
        "measures": [{"expression": "SUM(orders.four)", "column": "four"}, {"expression": "COUNT(orders.customer_id)", "column": "n"}]}]}
`
	const policies = `version: 1
roles:
  whole: {all: true}
  name: {metrics: all, datasets: {orders: {rows: all, fields: all}, customers: {rows: all, fields: all, mask: {name: "'*'"}}}}
  amount: {metrics: all, datasets: {orders: {rows: all, fields: all, mask: {amount: "0"}}, customers: {rows: all, fields: all}}}
  rule: {metrics: all, datasets: {orders: {rows: all, fields: all}, customers: {rows: "name = 'ana'", fields: all}}}
`
	const kept = `CREATE TABLE kept (buyer VARCHAR, initial VARCHAR, four INTEGER, n INTEGER); INSERT INTO kept VALUES ('KEPT', 'k', 7000, 70)`
	open := func(where string) *engine.Engine {
		text := strings.Replace(model, `"where": "WHERE",`, where, 1)
		return open(t, engine.Config{ModelText: []byte(text), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies), Setup: []string{
			"CREATE TABLE orders (customer_id INTEGER, amount INTEGER); INSERT INTO orders VALUES (1, 10), (2, 20)",
			"CREATE TABLE customers (customer_id INTEGER, name VARCHAR); INSERT INTO customers VALUES (1, 'ana'), (2, 'bo')", kept,
		}})
	}
	all, filtered := open(""), open(`"where": "customers.initial = 'a'",`)
	const fourfold = `{"metrics":["fourfold"]}`
	const byInitial = `{"metrics":["order_rows"],"group_by":[{"field":"customers.initial"}],"order_by":[{"key":"initial"}]}`
	const byBuyer = `{"metrics":["order_rows"],"group_by":[{"field":"orders.buyer"}],"order_by":[{"key":"buyer"}]}`
	const ofInitial = `{"metrics":["order_rows"],"where_sql":"customers.initial = 'a'"}`
	for _, c := range []struct {
		e                *engine.Engine
		role, body, want string
	}{
		{all, "whole", fourfold, `[{"fourfold":7000}]`},
		{all, "amount", fourfold, `[{"fourfold":0}]`},
		{all, "amount", byInitial, `[{"initial":"k","order_rows":70}]`}, // which reads no masked field
		{all, "whole", byInitial, `[{"initial":"k","order_rows":70}]`},
		{all, "name", byInitial, `[{"initial":"*","order_rows":2}]`},
		{all, "rule", byInitial, `[{"initial":"a","order_rows":1},{"initial":null,"order_rows":1}]`},
		{all, "whole", byBuyer, `[{"buyer":"KEPT","order_rows":70}]`},
		{all, "name", byBuyer, `[{"buyer":"*","order_rows":2}]`},
		{all, "rule", byBuyer, `[{"buyer":"ANA","order_rows":1},{"buyer":null,"order_rows":1}]`},
		{filtered, "whole", ofInitial, `[{"order_rows":70}]`},
		{filtered, "name", ofInitial, `[{"order_rows":0}]`},
	} {
		r, err := c.e.AsClaims(t.Context(), access.Claims{Name: c.role, Roles: []string{c.role}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := askRows(t.Context(), r, metricQuery(t, c.body)); err != nil || string(got.Rows) != c.want {
			t.Errorf("%s: %s\n%s %v\nwant\n%s", c.role, c.body, got.Rows, err, c.want)
		}
	}
}

func TestRollups_ServeStatementsAndAttributions(t *testing.T) {
	e := rolledShop(t, engine.Config{}, byStatus+"}", poisoned)
	statement := &query.SQLStatement{SQL: `SELECT status, MEASURE(revenue) AS revenue FROM orders GROUP BY status ORDER BY status`}
	got, err := askRows(t.Context(), e, statement)
	if err != nil || string(got.Rows) != `[{"status":"cancelled","revenue":10000},{"status":"completed","revenue":35000}]` || len(got.Rollups) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	off := query.RollupsOff
	statement.Rollups = &off
	if got, err = askRows(t.Context(), e, statement); err != nil || !strings.Contains(string(got.Rows), `"revenue":100}`) || got.Rollups != nil {
		t.Errorf("%+v, %v", got, err)
	}
	q, err := query.DecodeAttribute([]byte(`{"metric":"revenue","dimensions":["orders.status"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := e.Attribute(t.Context(), q)
	if err != nil || len(report.Rollups) != 1 || report.Rollups[0].Rollup != nil || report.Rollups[0].WhyNot[0].Rule != "range_field" {
		t.Errorf("%+v, %v", report, err)
	}
	only := query.RollupsOnly
	q.Rollups = &only
	var refused *planerr.Error
	if _, err = e.Attribute(t.Context(), q); !errors.As(err, &refused) || refused.Code != planerr.CodeNoRollup {
		t.Errorf("%v, want no_rollup", err)
	}
}

// Of two rollups that serve a branch, the one with fewer rows, groups and letters is read.
func TestRollups_SmallestServes(t *testing.T) {
	const (
		other  = `{"name": "another", "of": "orders", "group_by": [{"field": "orders.status", "column": "status"}], "measures": [{"expression": "SUM(orders.amount)", "column": "amount"}, {"expression": "COUNT(*)", "column": "n"}]`
		wider  = `{"name": "a_wide", "of": "orders", "group_by": [{"field": "orders.status", "column": "status"}, {"field": "orders.customer_id", "column": "n"}], "measures": [{"expression": "SUM(orders.amount)", "column": "amount"}]`
		tables = `CREATE TABLE another AS SELECT 'x' AS status, 1 AS amount, 1 AS n; CREATE TABLE a_wide AS SELECT 'x' AS status, 2 AS amount, 1 AS n`
	)
	for _, c := range []struct{ rollups, rows string }{
		{byStatus + `}, ` + other + `}`, `[{"revenue":1}]`},
		{byStatus + `, "rows": 1}, ` + other + `, "rows": 2}`, rolledRows},
		{byStatus + `, "rows": 3}, ` + other + `}`, `[{"revenue":1}]`},
		{wider + `}, ` + byStatus + `}`, rolledRows},
		{byStatus + `, "rows": 2}, ` + wider + `, "rows": 1}`, `[{"revenue":2}]`},
	} {
		e := rolledShop(t, engine.Config{}, c.rollups, poisoned, tables)
		if got, err := askRows(t.Context(), e, metricQuery(t, revenueBody)); err != nil || string(got.Rows) != c.rows {
			t.Errorf("%s\n%+v, %v, want %s", c.rollups, got, err, c.rows)
		}
	}
}

// The rollups that meet more rules come first, else those of the model before others.
func TestRollups_AreReportedByTheRulesThatTheyMeet(t *testing.T) {
	of := func(name, group, more string) string {
		return `{"name": "` + name + `", "of": "orders", "group_by": [{"field": "orders.` + group + `}], "measures": [{"expression": "SUM(orders.amount)", "column": "amount"}]` + more + `}`
	}
	const byMonth, byYear = `order_date", "grain": "month"`, `order_date", "grain": "year"`
	e := rolledShop(t, engine.Config{}, strings.Join([]string{
		of("a", `order_date"`, `, "connections": ["dw"]`), of("b", byMonth, ""), of("c", `status"`, ""), of("d", byYear, ""), of("e", byMonth, `, "connections": ["dw"]`), of("f", `product_id"`, ""),
	}, ", "))
	c, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["revenue"],"group_by":[{"field":"orders.order_date","grain":"week"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	found := ""
	for _, why := range c.Rollups[0].WhyNot {
		found += why.Rollup + " " + why.Rule + ", "
	}
	if want := "b grain, d grain, c group_by, f group_by, a connection, e connection, "; found != want {
		t.Errorf("%s, want %s", found, want)
	}
}
