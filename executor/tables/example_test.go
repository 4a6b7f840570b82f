package tables_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/tables"
)

func ExampleRead() {
	ctx := context.Background()
	db, err := duckdb.Open(ctx, duckdb.Options{Setup: []string{"CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, fare DECIMAL(8,2))"}})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	list, err := tables.Read(ctx, db, tables.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range list {
		fmt.Println(t.Name, t.PrimaryKey)
		for _, c := range t.Columns {
			fmt.Println(" ", c.Name, c.Type, c.Datatype)
		}
	}
	// Output:
	// trips [trip_id]
	//   trip_id INTEGER Integer
	//   fare DECIMAL(8,2) Decimal
}
