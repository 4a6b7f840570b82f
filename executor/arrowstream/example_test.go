package arrowstream_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/sqlite"
)

// Rows become the bytes of an Arrow IPC stream, and are read back.
func Example() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(ctx, "SELECT 1 AS id UNION ALL SELECT 2")
	if err != nil {
		log.Fatal(err)
	}
	stream, err := arrowstream.NewResultStreamFromRows(ctx, rows)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	var body bytes.Buffer
	if _, err := stream.Write(ctx, &body, map[string]string{"dialect": db.Dialect()}); err != nil {
		log.Fatal(err)
	}
	schema, err := arrowstream.Read(&body, func(batch arrow.RecordBatch) error {
		fmt.Println(batch.NumRows(), "rows")
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Field(0).Name, schema.Metadata().ToMap())
	// Output:
	// 2 rows
	// id map[dialect:sqlite]
}
