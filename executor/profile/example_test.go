package profile_test

import (
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/profile"
)

// A profile that cannot be used does not make the file unusable: its Err has the reason.
func ExampleParse() {
	env := func(name string) (string, bool) { return "secret", name == "SHOP_PASSWORD" } // os.LookupEnv in a program
	file, err := profile.Parse([]byte(`
datasources:
  shop: {type: postgres, host: db.example.com, username: reader, password: "${SHOP_PASSWORD}", database: shop}
  lake: {type: trino, host: trino.example.com, username: reader, password: "${LAKE_PASSWORD}"}
`), env)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range file.Profiles {
		fmt.Println(p.Name, p.Dialect, p.Err)
	}
	// Output:
	// shop postgres <nil>
	// lake trino config: the connection lake cannot be used: password needs the variable LAKE_PASSWORD, which is not set
}
