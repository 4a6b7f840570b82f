package snowflake_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/snowflake"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// A program that links the driver opens profiles of its type. The service is connected to
// when the first statement runs.
func ExampleDriver() {
	env := func(name string) (string, bool) { return "a-token", name == "SNOWFLAKE_TOKEN" } // os.LookupEnv in a program
	file, err := profile.Parse([]byte(`
datasources:
  reports:
    type: snowflake
    account: acme-analytics
    username: SEMLAYER
    password: ${SNOWFLAKE_TOKEN}
    warehouse: REPORTS
    database: SHOP
`), env)
	if err != nil {
		log.Fatal(err)
	}
	reports, _ := file.Lookup("reports")
	e, err := warehouse.OpenProfile(context.Background(), reports, warehouse.Options{Drivers: []warehouse.Driver{snowflake.Driver()}})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	fmt.Println(e.Dialect())
	// Output:
	// snowflake
}
