package bigquery_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/semlayer/semlayer/executor/bigquery"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// A program that links the driver opens profiles of its type. The service is connected to
// when the first statement runs.
func ExampleDriver() {
	file, err := profile.Parse([]byte(`
datasources:
  reports:
    type: bigquery
    catalog: acme-analytics
    database: shop
    location: EU
`), os.LookupEnv)
	if err != nil {
		log.Fatal(err)
	}
	reports, _ := file.Lookup("reports")
	e, err := warehouse.OpenProfile(context.Background(), reports, warehouse.Options{Drivers: []warehouse.Driver{bigquery.Driver()}})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	fmt.Println(e.Dialect())
	// Output:
	// bigquery
}
