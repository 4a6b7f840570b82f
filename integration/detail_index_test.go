package integration_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

// indexed is a table of orders with a primary key, one of their lines with a key of two
// columns, and the customers that the orders name.
const indexedModel = `
version: 0.2.0.dev0
name: indexed
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: order_lines
    source: order_lines
    primary_key: [order_id, line_no]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: line_no, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: line_no}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: customers
    source: customers
    primary_key: [customer_id]
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
relationships:
  - {name: order_customer, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}
`

const indexedTables = `
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER);
CREATE TABLE order_lines (order_id INTEGER, line_no INTEGER, amount INTEGER, PRIMARY KEY (order_id, line_no));
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, region VARCHAR(20));
`

// indexedRows fills the tables from a table of numbers that the dialect has.
func indexedRows(numbers string) string {
	return fmt.Sprintf(`
INSERT INTO orders SELECT i, i %% 100, i %% 977 FROM %[1]s;
INSERT INTO order_lines SELECT i / 4, i %% 4, i %% 977 FROM %[1]s;
INSERT INTO customers SELECT i, 'north' FROM %[1]s WHERE i < 100;
ANALYZE %%s orders;
ANALYZE %%s order_lines;
ANALYZE %%s customers;
`, numbers)
}

// Where the order is that of the primary key, the servers read it from the index and
// sort nothing.
func TestDetail_OrderByThePrimaryKeyIsReadFromItsIndex(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(indexedModel)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	for _, b := range []struct {
		name, script, sorts, reads string
		server                     func() *servers.Server
	}{
		{"postgres", indexedTables + strings.ReplaceAll(indexedRows("generate_series(0, 19999) AS t(i)"), "%s", ""), "Sort", "Index Scan",
			func() *servers.Server { return servers.PostgreSQL(t, shared) }},
		{"mariadb", indexedTables + strings.ReplaceAll(indexedRows("(SELECT CAST(seq AS SIGNED) AS i FROM seq_0_to_19999) AS t"), "%s", "TABLE"), "filesort", "PRIMARY",
			func() *servers.Server { return servers.MariaDB(t, shared) }},
	} {
		t.Run(b.name, func(t *testing.T) {
			s := b.server()
			db, err := s.Load(t.Context(), "detail_index", b.script)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = db.Close()
				_ = s.Drop(t.Context(), "detail_index")
			}()
			plan := func(body string) string {
				q, err := query.DecodeDetail([]byte(strings.TrimSuffix(body, "}") + `,"dialect":"` + s.Dialect + `"}`))
				if err != nil {
					t.Fatal(err)
				}
				c, err := prepare.SQL(t.Context(), e, q)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := servers.QueryTable(t.Context(), db, "EXPLAIN "+c.SQL, nil)
				if err != nil {
					t.Fatal(err)
				}
				return c.SQL + "\n" + fmt.Sprint(answer.Rows)
			}
			for name, body := range map[string]string{
				"ascending":                  `{"from":"orders","fields":["order_id","amount"],"order_by":[{"key":"order_id"}],"limit":10}`,
				"descending":                 `{"from":"orders","fields":["order_id","amount"],"order_by":[{"key":"order_id","desc":true}],"limit":10}`,
				"without order_by":           `{"from":"orders","fields":["order_id","amount"]}`,
				"a key behind the key":       `{"from":"orders","fields":["order_id","amount"],"order_by":[{"key":"order_id","desc":true},{"key":"amount"}],"limit":10}`,
				"beside another dataset":     `{"from":"orders","fields":["order_id","customers.region"],"order_by":[{"key":"order_id","desc":true}],"limit":10}`,
				"a key of two columns":       `{"from":"order_lines","fields":["order_id","line_no","amount"],"limit":10}`,
				"two columns, descending":    `{"from":"order_lines","fields":["amount","order_id","line_no"],"order_by":[{"key":"order_id","desc":true},{"key":"line_no","desc":true}],"limit":10}`,
				"a condition on another row": `{"from":"orders","fields":["order_id"],"where_sql":"amount > 5","order_by":[{"key":"order_id","desc":true}],"limit":10}`,
			} {
				t.Run(name, func(t *testing.T) {
					if text := plan(body); strings.Contains(text, b.sorts) || !strings.Contains(text, b.reads) {
						t.Error(text)
					}
				})
			}
			// A column that is not a key may be NULL, and is sorted: the words searched in the plan
			// are those of the server.
			if text := plan(`{"from":"orders","fields":["amount","order_id"],"limit":10}`); !strings.Contains(text, b.sorts) {
				t.Errorf("by amount: %s", text)
			}
		})
	}
}
