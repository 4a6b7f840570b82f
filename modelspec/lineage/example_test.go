package lineage_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

func Example() {
	ctx := context.Background()
	doc, err := modelspec.ParseFile("testdata/lineage.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, err := lineage.MetricGraph(ctx, cat, cat.Metric("revenue"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range graph.Edges {
		fmt.Println(x.From, x.Relation, x.To)
	}
	// Output:
	// table:sales.orders source dataset:orders
	// dataset:orders contains field:orders.amount
	// field:orders.amount reads measure:orders_amount_sum
	// measure:orders_amount_sum aggregates metric:revenue
}
