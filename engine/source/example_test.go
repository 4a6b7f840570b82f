package source_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/engine/source"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// A folder of data files becomes the tables of an embedded database.
func ExampleOpenSource() {
	dir, err := os.MkdirTemp("", "source")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "bikes.csv"), []byte("bike_id,kind\n1,city\n2,cargo\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	s, err := source.OpenSource(ctx, filepath.Join(dir, "bikes.csv"), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.DB.Close()
	out, err := generate.GenerateFromWarehouse(ctx, s.DB, generate.Options{Name: s.Name, Views: s.DataFiles})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Name, out.Report.Keys[0].Columns, out.Report.Keys[0].How)
	// Output:
	// bikes [bike_id] proven
}
