package localdb_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/executor/localdb"
)

func ExampleParseURI() {
	at, err := localdb.ParseURI(localdb.Postgres, "postgres://tester:secret@127.0.0.1:5432/shop")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(at.HostPort(), at.User, at.Database)
	// Output:
	// 127.0.0.1:5432 tester shop
}

// Each test gets a separate server. This example is compiled and not run: it needs the programs
// of PostgreSQL.
func ExampleStartPostgres() {
	server, err := localdb.StartPostgres(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer server.Stop()
	fmt.Println(server.Address.HostPort())
}
