package warehouse_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

func ExampleOpen() {
	ctx := context.Background()
	file, err := profile.Parse([]byte(`datasources: {scratch: {type: sqlite, path: ":memory:"}}`), os.LookupEnv)
	if err != nil {
		log.Fatal(err)
	}
	scratch, _ := file.Lookup("scratch")
	e, err := warehouse.OpenProfile(ctx, scratch, warehouse.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	rows, err := e.Query(ctx, "SELECT 40 + 2 AS answer")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(ctx, rows, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Dialect(), string(result.Rows))
	// Output:
	// sqlite [{"answer":42}]
}
