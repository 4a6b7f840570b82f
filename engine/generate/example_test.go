package generate_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// The data prove the keys of both tables and the relationship between them.
func ExampleGenerateFromWarehouse() {
	ctx := context.Background()
	db, err := duckdb.Open(ctx, duckdb.Options{Setup: []string{
		"CREATE TABLE trips AS SELECT * FROM (VALUES (1, 10, 4.50), (2, 10, 3.25), (3, 11, 7.00)) AS v(trip_id, bike_id, fare)",
		"CREATE TABLE bikes AS SELECT * FROM (VALUES (10, 'city'), (11, 'electric')) AS v(bike_id, kind)",
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	out, err := generate.GenerateFromWarehouse(ctx, db, generate.Options{Name: "trips"})
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range out.Report.Keys {
		fmt.Println(k.Dataset, k.Columns, k.How)
	}
	for _, r := range out.Report.Relationships {
		fmt.Println(r.Name, r.FromColumns, r.ToColumns, r.Unmatched, "of", r.Values, "values are unmatched")
	}
	// Output:
	// bikes [bike_id] proven
	// trips [trip_id] proven
	// trips_bikes [bike_id] [bike_id] 0 of 2 values are unmatched
}
