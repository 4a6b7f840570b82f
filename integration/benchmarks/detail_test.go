package benchmarks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

// paged are detail queries in the order of the primary key, and what is written by hand
// for them.
var paged = []struct{ name, query, hand string }{
	{"first page", `{"from":"orders","fields":["order_id","amount"],"order_by":[{"key":"order_id"}]}`,
		`SELECT order_id, amount FROM orders ORDER BY order_id LIMIT 100`},
	{"first page, without order_by", `{"from":"orders","fields":["order_id","amount"]}`,
		`SELECT order_id, amount FROM orders ORDER BY order_id LIMIT 100`},
	{"first page, descending", `{"from":"orders","fields":["order_id","amount"],"order_by":[{"key":"order_id","desc":true}]}`,
		`SELECT order_id, amount FROM orders ORDER BY order_id DESC LIMIT 100`},
	{"last page", `{"from":"orders","fields":["order_id","amount"],"where_sql":"order_id > %d","order_by":[{"key":"order_id"}]}`,
		`SELECT order_id, amount FROM orders WHERE order_id > %d ORDER BY order_id LIMIT 100`},
	{"last page, descending", `{"from":"orders","fields":["order_id","amount"],"where_sql":"order_id <= 100","order_by":[{"key":"order_id","desc":true}]}`,
		`SELECT order_id, amount FROM orders WHERE order_id <= 100 ORDER BY order_id DESC LIMIT 100`},
	{"with a joined field, descending", `{"from":"orders","fields":["order_id","customers.region"],"order_by":[{"key":"order_id","desc":true}]}`,
		`SELECT o.order_id, c.region FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id ORDER BY o.order_id DESC LIMIT 100`},
}

const pagedModel = `
version: 0.2.0.dev0
name: paged
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
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

// pagedData fills the tables from numbers that start with 1; analyze is the command that
// looks at a table.
func pagedData(rows int, numbers, analyze string) string {
	return fmt.Sprintf(`
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, region VARCHAR(20));
INSERT INTO orders SELECT i, i %% 10000, i %% 977 FROM %[1]s;
INSERT INTO customers SELECT i, 'north' FROM %[1]s WHERE i < 10000;
%[2]s orders;
%[2]s customers;
`, fmt.Sprintf(numbers, rows), analyze)
}

// BenchmarkDetail reads pages of a table in the order of its primary key, with the SQL of
// the engine and with SQL written by hand, on the same connection and in turn.
func BenchmarkDetail(b *testing.B) {
	rows := factRows(b) / 5
	b.Run("postgres", func(b *testing.B) {
		benchmarkPaging(b, servers.PostgreSQL(b, &shared), rows, pagedData(rows, "generate_series(1, %d) AS t(i)", "ANALYZE"))
	})
	b.Run("mariadb", func(b *testing.B) {
		benchmarkPaging(b, servers.MariaDB(b, &shared), rows, pagedData(rows, "(SELECT CAST(seq AS SIGNED) AS i FROM seq_1_to_%d) AS t", "ANALYZE TABLE"))
	})
}

func benchmarkPaging(b *testing.B, s *servers.Server, rows int, script string) {
	db, err := s.Load(b.Context(), "detail", script)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	e, err := engine.Open(b.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(pagedModel)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	for _, p := range paged {
		b.Run(strings.ReplaceAll(p.name, " ", "_"), func(b *testing.B) {
			body, hand := p.query, p.hand
			if strings.Contains(hand, "%d") {
				body, hand = fmt.Sprintf(body, rows-100), fmt.Sprintf(hand, rows-100)
			}
			q, err := query.DecodeDetail([]byte(strings.TrimSuffix(body, "}") + `,"dialect":"` + s.Dialect + `"}`))
			if err != nil {
				b.Fatal(err)
			}
			c, err := prepare.SQL(b.Context(), e, q)
			if err != nil {
				b.Fatal(err)
			}
			alternateQueries(b, db, c.SQL, hand)
		})
	}
}

func alternateQueries(b *testing.B, db executor.Executor, generated, hand string) {
	if a, z := cells(b, db, generated), cells(b, db, hand); len(a) != 100 || !sameCells(a, z) {
		b.Fatalf("the two queries differ\n%s\n%v\n%v", generated, firstRows(a), firstRows(z))
	}
	const turns = 500
	var ours, theirs []time.Duration
	for b.Loop() {
		ours, theirs = append(ours, queryDuration(b, db, generated)), append(theirs, queryDuration(b, db, hand))
	}
	for len(ours) < turns {
		ours, theirs = append(ours, queryDuration(b, db, generated)), append(theirs, queryDuration(b, db, hand))
	}
	b.ReportMetric(float64(median(ours))/float64(median(theirs)), "ratio")
	b.ReportMetric(float64(median(ours))/1e6, "generated-ms")
	b.ReportMetric(float64(median(theirs))/1e6, "hand-ms")
}
