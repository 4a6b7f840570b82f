package planner_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

const shopModel = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: sales.orders
    fields:
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

func newPlanner() *planner.Planner {
	doc, err := modelspec.Parse([]byte(shopModel))
	if err != nil {
		log.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return planner.New(cat)
}

func ExamplePlanner_PlanMetrics() {
	planned, err := newPlanner().PlanMetrics(context.Background(), &query.MetricQuery{
		Metrics: []string{"revenue"},
		GroupBy: []query.GroupBy{{Field: "orders.region"}},
	}, planner.Target{Dialect: "postgres"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range planned.Columns {
		fmt.Println(c.Name)
	}
	fmt.Print(plan.Explain(planned.Root))
	// Output:
	// region
	// revenue
	// Project region, revenue = orders_amount_sum
	//   Aggregate of orders by region = "orders".region compute orders_amount_sum = SUM("orders".amount)
	//     Scan orders (sales.orders)
}

// The suggested retry is a part of a query that replaces the keys it names. It was
// planned before it is offered.
func ExamplePlanner_refusedQuery() {
	_, err := newPlanner().PlanMetrics(context.Background(), &query.MetricQuery{
		Metrics: []string{"revenue"},
		GroupBy: []query.GroupBy{{Field: "orders.region", Grain: "month"}},
	}, planner.Target{Dialect: "postgres"})
	var refused *planerr.Error
	if !errors.As(err, &refused) {
		log.Fatal(err)
	}
	fmt.Println(refused.Code)
	fmt.Println(refused.SuggestedRetry)
	// Output:
	// grain_on_non_time_dimension
	// {"group_by":[{"field":"orders.region"}]}
}
