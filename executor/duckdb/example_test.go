package duckdb_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

func Example() {
	ctx := context.Background()
	db, err := duckdb.Open(ctx, duckdb.Options{Setup: []string{
		"CREATE TABLE orders(status VARCHAR, amount DECIMAL(10, 2))",
		"INSERT INTO orders VALUES ('completed', 350), ('cancelled', 100)",
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	rows, err := db.Query(ctx, "SELECT status, sum(amount) AS revenue FROM orders GROUP BY status ORDER BY status")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rows.Close()
	answer, err := jsonrows.CollectResult(ctx, rows, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Columns, answer.Count)
	fmt.Println(string(answer.Rows))
	// Output:
	// [status revenue] 2
	// [{"status":"cancelled","revenue":100.00},{"status":"completed","revenue":350.00}]
}
