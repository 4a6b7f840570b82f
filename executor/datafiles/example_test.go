package datafiles_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/semlayer/semlayer/executor/datafiles"
)

func ExampleFindTables() {
	folder, err := os.MkdirTemp("", "data")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	for _, name := range []string{"Bike types.csv", "trips/year=2024/a.parquet", "trips/year=2025/a.parquet", "notes.txt"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			log.Fatal(err)
		}
	}
	set, err := datafiles.FindTables(context.Background(), []string{folder})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range set.Tables {
		fmt.Println(t.Name, t.Format, len(t.Files))
	}
	fmt.Println("skipped", set.Skipped)
	// Output:
	// bike_types CSV 1
	// trips Parquet 2
	// skipped 1
}
