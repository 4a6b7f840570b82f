package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// shopModel is a model whose rows stand in its sources, so that no database is needed.
const shopModel = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: >-
      SELECT * FROM (VALUES (1, 'east', DATE '2024-01-05', 100), (2, 'east', DATE '2024-01-20', 50),
      (3, 'west', DATE '2024-02-10', 80), (4, NULL, DATE '2024-02-15', 30)) AS t(order_id, region, day, amount)
    primary_key: [order_id]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: order_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.order_id)}]}}
`

func openShop() *engine.Engine {
	e, err := engine.Open(context.Background(), engine.Config{
		ModelText: []byte(shopModel),
		Drivers:   []warehouse.Driver{duckdb.Driver()},
	})
	if err != nil {
		log.Fatal(err)
	}
	return e
}

func ExampleEngine_Prepare() {
	e := openShop()
	defer e.Close()
	statement, err := e.Prepare(context.Background(), &query.MetricQuery{
		Metrics: []string{"revenue", "order_count"},
		GroupBy: []query.GroupBy{{Field: "orders.region"}},
		OrderBy: []query.OrderBy{{Key: "revenue", Desc: true}},
	})
	if err != nil {
		log.Fatal(err)
	}
	result, err := statement.Execute(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Columns)
	fmt.Println(string(result.Rows))
	// Output:
	// [region revenue order_count]
	// [{"region":"east","revenue":150,"order_count":2},{"region":"west","revenue":80,"order_count":1},{"region":null,"revenue":30,"order_count":1}]
}

func ExampleEngine_Prepare_dialect() {
	e := openShop()
	defer e.Close()
	statement, err := e.Prepare(context.Background(), &query.MetricQuery{
		Metrics: []string{"order_count"},
		Dialect: "postgres",
	})
	if err != nil {
		log.Fatal(err)
	}
	compiled, err := statement.SQL(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(compiled.Dialect, compiled.Outputs[0].Column)
	// Output: postgres order_count
}

// The error of a refused query has a code, the valid alternatives and, often, the part of the query
// that would work.
func Example_refusedQuery() {
	e := openShop()
	defer e.Close()
	statement, err := e.Prepare(context.Background(), &query.MetricQuery{
		Metrics:  []string{"revenue"},
		WhereSQL: "order_count > 1",
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = statement.SQL(context.Background())
	var refusal *planerr.Error
	if !errors.As(err, &refusal) {
		log.Fatal(err)
	}
	fmt.Println(refusal.Code)
	fmt.Println(refusal.SuggestedRetry)
	// Output:
	// result_filter_metric_not_selected
	// {"metrics":["revenue","order_count"]}
}

func ExampleEngine_Prepare_detail() {
	e := openShop()
	defer e.Close()
	q, err := query.DecodeDetail([]byte(`{"from": "orders", "fields": ["order_id", "day:month"], "where_sql": "amount >= 80"}`))
	if err != nil {
		log.Fatal(err)
	}
	statement, err := e.Prepare(context.Background(), q)
	if err != nil {
		log.Fatal(err)
	}
	result, err := statement.Execute(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(result.Rows))
	// Output: [{"order_id":1,"day__month":"2024-01-01"},{"order_id":3,"day__month":"2024-02-01"}]
}

func ExampleEngine_Attribute() {
	e := openShop()
	defer e.Close()
	q, err := query.DecodeAttribute([]byte(`{
		"metric": "revenue", "dimensions": ["orders.region"],
		"baseline": {"start": "2024-01-01", "end": "2024-02-01"},
		"current": {"start": "2024-02-01", "end": "2024-03-01"}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	report, err := e.Attribute(context.Background(), q)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Strategy, report.TotalChange.Delta)
	// Output: term_wise -40
}

// An Arrow stream is written as the warehouse answers; nothing is kept.
func ExampleEngine_Prepare_stream() {
	e := openShop()
	defer e.Close()
	statement, err := e.Prepare(context.Background(), &query.MetricQuery{Metrics: []string{"revenue"}})
	if err != nil {
		log.Fatal(err)
	}
	stream, err := statement.Stream(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	file, err := os.CreateTemp("", "revenue-*.arrows")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	if _, err := stream.Write(context.Background(), file); err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Close())
	// Output: <nil>
}
