package limits_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/limits"
)

func ExampleAll() {
	for _, l := range limits.All() {
		if l.Name == "model_bytes" || l.Name == "query_metrics" {
			fmt.Println(l.Name, l.Value, l.Unit+":", l.AppliesTo, "("+l.Code+")")
		}
	}
	// Output:
	// model_bytes 10485760 bytes: the text of a model (parse)
	// query_metrics 1000 items: metrics of a query (bad_request)
}
