package ossie_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/semsql/ossie"
)

func Example() {
	doc, err := modelspec.Parse([]byte(plainModel()))
	if err != nil {
		fmt.Println(err)
		return
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	arguments, err := ossie.DecodeArguments([]byte(`{"data_source_id": "m@1", "query": {
		"dimensions": ["DATE_TRUNC('month', sales.at) AS month"], "measures": ["revenue"], "where": "city = 'Oslo'"}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	translated, err := ossie.Translate(cat, &arguments.Query)
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := json.Marshal(translated.Metric)
	fmt.Println(string(body), err)
	// Output:
	// {"metrics":["revenue"],"group_by":[{"field":"sales.at","grain":"month","name":"month"}],"where_sql":"shops.city = 'Oslo'"} <nil>
}
