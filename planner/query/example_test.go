package query_test

import (
	"fmt"
	"log"

	"github.com/semlayer/semlayer/planner/query"
)

// A body is read strictly: a key that does not exist is an error with the one that was
// probably meant.
func ExampleDecodeMetric() {
	q, err := query.DecodeMetric([]byte(`{"metrics": ["revenue"], "group_by": [{"field": "orders.day", "grain": "month"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(q.Metrics, q.GroupBy[0].Field, q.GroupBy[0].Grain)
	_, err = query.DecodeMetric([]byte(`{"metrics": ["revenue"], "groupby": []}`))
	fmt.Println(err)
	// Output:
	// [revenue] orders.day month
	// unknown_query_key: the query has no key "groupby"; did you mean "group_by"?
}
