package modeltest_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/modeltest"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// A program runs the tests of its model against its data.
func ExampleRunTests() {
	ctx := context.Background()
	e, err := engine.Open(ctx, engine.Config{ModelText: []byte(model), Setup: []string{data}, Drivers: []warehouse.Driver{duckdb.Driver()}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = e.Close() }()
	file, err := modeltest.ParseTestFile("shop.test.yaml", []byte(`
tests:
  - name: revenue of the north
    query: {metrics: [revenue], where_sql: orders.region = 'north'}
    expect: {rows: [{revenue: 14}]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range modeltest.RunTests(ctx, e, []*modeltest.TestFile{file}, modeltest.Options{})[:1] {
		fmt.Println(r.Name, r.Status+":", r.Message)
		for _, row := range r.Rows {
			fmt.Println(row)
		}
	}
	// Output:
	// revenue of the north failed: missing rows: 1, unexpected rows: 1
	// - 14
	// + 15.00
}
