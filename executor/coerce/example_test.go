package coerce_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/coerce"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/sqlite"
)

// Columns get the Arrow types of their hints: SQLite has no type for dates.
func ExampleRows() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	plain, err := db.Query(ctx, "SELECT '2024-01-05' AS day, 1 AS open")
	if err != nil {
		log.Fatal(err)
	}
	rows := coerce.CoerceRows(plain, jsonrows.TypeHints{"day": jsonrows.HintDate, "open": jsonrows.HintBoolean})
	defer rows.Close()
	for _, f := range rows.Schema().Fields() {
		fmt.Println(f.Name, f.Type)
	}
	// Output:
	// day date32
	// open bool
}
