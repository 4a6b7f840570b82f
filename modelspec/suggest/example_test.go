package suggest_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

func Example() {
	metrics := []string{"revenue", "order_count", "revenue_growth", "customers"}
	if name, ok := suggest.ClosestIfNear("revenu", metrics); ok {
		fmt.Println("did you mean", name)
	}
	_, ok := suggest.ClosestIfNear("zzz", metrics)
	fmt.Println(ok)
	fmt.Println(suggest.Nearest("revenu", metrics, 2))
	// Output:
	// did you mean revenue
	// false
	// [revenue revenue_growth]
}
