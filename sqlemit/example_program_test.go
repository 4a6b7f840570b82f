package sqlemit_test

import (
	"context"
	"fmt"
	"os"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

func Example() {
	doc := must(modelspec.Parse(must(os.ReadFile("testdata/shop.yaml"))))
	cat := must(compile.Compile(context.Background(), doc, compile.Options{}))
	dialect, _ := sqlemit.LookupDialect("postgres")
	q := &query.MetricQuery{Metrics: []string{"revenue"}, GroupBy: []query.GroupBy{{Field: "orders.region"}}}
	planned := must(planner.New(cat).PlanMetrics(context.Background(), q, planner.Target{Dialect: dialect.Name(), Caps: dialect.Capabilities()}))
	fmt.Println(must(sqlemit.Emit(context.Background(), planned.Root, dialect, sqlemit.FormatOptions{})))
	// Output: SELECT "orders".region AS "region", SUM("orders".amount) AS "revenue" FROM sales.orders AS "orders" GROUP BY 1
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
