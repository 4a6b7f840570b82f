package plan_test

import (
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// A plan is a tree of nodes. Check finds what a node uses and its input does not have.
func Example() {
	source, err := modelspec.ParseDatasetSource("sales.orders")
	if err != nil {
		log.Fatal(err)
	}
	condition, err := sqlexpr.Parse("orders.amount > 100")
	if err != nil {
		log.Fatal(err)
	}
	scan := &plan.Scan{Dataset: "orders", Source: source, Alias: "orders"}
	root := &plan.Limit{Input: &plan.Filter{Input: scan, Conds: []sqlexpr.Expr{condition}, Why: "where_sql"}, N: 10}
	if err := plan.CheckTree(root); err != nil {
		log.Fatal(err)
	}
	fmt.Print(plan.Explain(root))
	// Output:
	// Limit 10
	//   Filter [where_sql] orders.amount > 100
	//     Scan orders (sales.orders)
}
