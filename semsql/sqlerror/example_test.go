package sqlerror_test

import (
	"encoding/json"
	"fmt"

	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// An error has the place of the fault and a statement that works.
func ExampleError() {
	e := sqlerror.New(sqlerror.CodeGroupByRequired, 8, "the column region is not grouped").
		WithSuggestedStatement("SELECT region, MEASURE(revenue) FROM shop GROUP BY region")
	text, err := json.Marshal(e)
	fmt.Println(string(text), err)
	// Output:
	// {"code":"sql_group_by_required","message":"the column region is not grouped","suggested_retry":"{\"sql\":\"SELECT region, MEASURE(revenue) FROM shop GROUP BY region\"}","sqlstate":"42803","position":8} <nil>
}
