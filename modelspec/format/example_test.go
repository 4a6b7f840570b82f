package format_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/format"
)

func ExampleFormat() {
	out, err := format.Format([]byte(`# Sales of a shop
name: shop
version: 0.2.0.dev0
metrics:
- expression: SUM(orders.amount)   # in euro
  name: "revenue"
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(out))
	// Output:
	// # Sales of a shop
	// version: 0.2.0.dev0
	// name: shop
	// metrics:
	//   - name: revenue
	//     expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}  # in euro
}
