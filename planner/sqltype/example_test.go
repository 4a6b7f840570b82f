package sqltype_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

func Example() {
	leaf := func(sqlexpr.Expr) sqltype.Type { return sqltype.Bigint }
	for _, text := range []string{"amount", "SUM(amount)", "AVG(amount)", "amount / 2", "COUNT(*)"} {
		e, err := sqlexpr.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text, "is", sqltype.TypeOfExpr(e, leaf))
	}
	// Output:
	// amount is bigint
	// SUM(amount) is numeric
	// AVG(amount) is double precision
	// amount / 2 is double precision
	// COUNT(*) is bigint
}
