package sqlite_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/sqlite"
)

func ExampleOpen() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"}) // or the path of a file, which is read only
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(ctx, "SELECT 'east' AS region, 1.5 AS revenue")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(ctx, rows, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(result.Rows))
	// Output:
	// [{"region":"east","revenue":1.5}]
}
