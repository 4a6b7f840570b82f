package databricks_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/databricks"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// A program that links the driver opens profiles of its type. The service is connected to
// when the first statement runs.
func ExampleDriver() {
	env := func(name string) (string, bool) { return "a-token", name == "DATABRICKS_TOKEN" } // os.LookupEnv in a program
	file, err := profile.Parse([]byte(`
datasources:
  reports:
    type: databricks
    host: adb-1.azuredatabricks.net
    http_path: /sql/1.0/warehouses/1a2b3c
    token: ${DATABRICKS_TOKEN}
`), env)
	if err != nil {
		log.Fatal(err)
	}
	reports, _ := file.Lookup("reports")
	e, err := warehouse.OpenProfile(context.Background(), reports, warehouse.Options{Drivers: []warehouse.Driver{databricks.Driver()}})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	fmt.Println(e.Dialect())
	// Output:
	// databricks
}
