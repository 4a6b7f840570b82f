package compose_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/plan"
)

// The average revenue of a region: SELECT AVG(revenue) FROM (a query of revenue by region).
func Example() {
	query := &plan.PlannedQuery{Root: &plan.Aggregate{
		Input: &plan.Scan{Dataset: "orders", Alias: "orders", Source: sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: "orders"}}}},
		Keys:  []plan.NamedExpr{{Name: "region", Expr: sqlexpr.NewTwoPartColumn("orders", sqlexpr.Name{Text: "region"}), Type: sqlexpr.TypeString}},
		Measures: []plan.NamedExpr{{
			Name: "revenue", Type: sqlexpr.TypeDecimal,
			Expr: &sqlexpr.Call{Fn: sqlexpr.FnSum, Args: []sqlexpr.Expr{sqlexpr.NewTwoPartColumn("orders", sqlexpr.Name{Text: "amount"})}},
		}},
	}}
	c := compose.New(plan.Target{Dialect: "postgres"})
	revenue := c.MakeCommonTable(c.RowsOfQuery(query, nil))
	rows, err := c.Select(&compose.Select{
		From:  revenue,
		Items: []compose.SelectItem{{Name: "average", Expr: &sqlexpr.Call{Fn: sqlexpr.FnAvg, Args: []sqlexpr.Expr{&sqlexpr.Ref{ID: 1}}}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, column := range rows.Columns() {
		fmt.Println(column.Name, column.Type)
	}
	fmt.Print(plan.Explain(rows.Plan().Root))
	// Output:
	// average double precision
	// Project average
	//   Aggregate compute average = AVG(revenue)
	//     Derived s1
	//       Aggregate by region = "orders".region compute revenue = SUM("orders".amount)
	//         Scan orders (orders)
}
