package jsonrows_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/sqlite"
)

// A hint gives a column the type that the warehouse does not have: SQLite keeps Booleans
// as numbers.
func ExampleCollectResult() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(ctx, "SELECT 'east' AS region, 1 AS open")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(ctx, rows, jsonrows.TypeHints{"open": jsonrows.HintBoolean})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Columns, result.Count)
	fmt.Println(string(result.Rows))
	// Output:
	// [region open] 1
	// [{"region":"east","open":true}]
}
