package benchmarks

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// checkedData has a million orders, of which each refers to a customer and a product.
const checkedData = `CREATE TABLE orders AS SELECT i AS order_id, i % 100000 AS customer_id, i % 1000 AS product_id,
DATE '2024-01-01' + CAST(i % 700 AS INTEGER) AS order_date, 20240100 + i % 28 + 1 AS day_code, 'status ' || i % 5 AS status,
CAST(i % 900 AS DECIMAL(10, 2)) AS amount FROM generate_series(1, 1000000) AS t(i);
CREATE TABLE customers AS SELECT i AS customer_id, 'region ' || i % 9 AS region FROM generate_series(0, 99999) AS t(i);
CREATE TABLE products AS SELECT i AS product_id, 'category ' || i % 20 AS category FROM generate_series(0, 999) AS t(i);`

const checkedModel = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    unique_keys: [[customer_id, order_id]]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: product_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: product_id}]}}
      - {name: order_date, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: order_date}]}}
      - name: day_code
        datatype: Integer
        expression: {dialects: [{dialect: ANSI_SQL, expression: day_code}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "requires": ["time"], "time": {"format": "yyyyMMdd"}}'}]
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: customers
    source: customers
    primary_key: [customer_id]
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
  - name: products
    source: products
    primary_key: [product_id]
    fields:
      - {name: product_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: product_id}]}}
      - {name: category, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: category}]}}
relationships:
  - {name: order_customer, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id], cardinality: many_to_one}
  - {name: order_product, from: orders, to: products, from_columns: [product_id], to_columns: [product_id]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: orders, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.order_id)}]}}
`

// statementRecorder keeps the statements that run.
type statementRecorder struct {
	executor.Executor
	statements []string
}

func (r *statementRecorder) Query(ctx context.Context, sql string) (executor.Rows, error) {
	r.statements = append(r.statements, sql)
	return r.Executor.Query(ctx, sql)
}

// BenchmarkDataChecks is a check of a model against a million rows, beside its statements run by themselves, in turn.
// ratio is the quotient of the medians.
func BenchmarkDataChecks(b *testing.B) {
	db, err := duckdb.Open(b.Context(), duckdb.Options{Setup: []string{checkedData}, Connections: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	recorder := &statementRecorder{Executor: db}
	c := engine.Config{ModelText: []byte(checkedModel), Connections: []engine.ProgramConnection{{Name: "data", Executor: recorder}}}
	var checks, bare []time.Duration
	for b.Loop() {
		recorder.statements = nil
		begun := time.Now()
		v, err := engine.ValidateData(b.Context(), c, "data", datacheck.Options{MaxRows: datacheck.UnlimitedRows})
		checks = append(checks, time.Since(begun))
		if err != nil || !v.DataChecked || len(v.Issues) > 0 {
			b.Fatalf("%+v %v", v, err)
		}
		begun = time.Now()
		for _, sql := range recorder.statements {
			runStatement(b, db, sql)
		}
		bare = append(bare, time.Since(begun))
	}
	slices.Sort(checks)
	slices.Sort(bare)
	check, alone := checks[len(checks)/2], bare[len(bare)/2]
	b.ReportMetric(float64(check)/float64(alone), "ratio")
	b.ReportMetric(float64(check)/1e6, "check-ms")
	b.ReportMetric(float64(alone)/1e6, "statements-ms")
	b.ReportMetric(float64(len(recorder.statements)), "statements")
}

func runStatement(b *testing.B, db executor.Executor, sql string) {
	b.Helper()
	rows, err := db.Query(b.Context(), sql)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := jsonrows.CollectResult(b.Context(), rows, nil); err != nil {
		b.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		b.Fatal(err)
	}
}
