package clickhouse_test

import (
	"fmt"
	"log"
	"os"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
)

// The server is connected to when the first statement runs.
func ExampleOpen() {
	e, err := clickhouse.Open(clickhouse.Options{
		Host: "clickhouse.example.com", Secure: true,
		User: "semlayer", Password: executor.NewSecret(os.Getenv("CLICKHOUSE_PASSWORD")), Database: "shop",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	fmt.Println(e.Dialect())
	// Output:
	// clickhouse
}
