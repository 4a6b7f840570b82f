package sqlexpr_test

import (
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func ExampleParse() {
	e, err := sqlexpr.Parse("sum(orders.amount) / nullif(count(distinct orders.customer_id), 0)")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sqlexpr.Format(e))
	for _, c := range sqlexpr.ColumnReferences(e) {
		fmt.Println(sqlexpr.Format(c))
	}
	_, err = sqlexpr.Parse("amount + ")
	fmt.Println(err)
	// Output:
	// SUM(orders.amount) / NULLIF(COUNT(DISTINCT orders.customer_id), 0)
	// orders.amount
	// orders.customer_id
	// expected an expression after + at position 10, found end of text
}

// Rewrite replaces the nodes for which the function returns another.
func ExampleRewrite() {
	e, err := sqlexpr.Parse("amount * (1 - discount)")
	if err != nil {
		log.Fatal(err)
	}
	qualified := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		c, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		return &sqlexpr.Column{Path: append([]sqlexpr.Name{{Text: "orders"}}, c.Path...)}
	})
	fmt.Println(sqlexpr.Format(qualified))
	// Output:
	// orders.amount * (1 - orders.discount)
}
