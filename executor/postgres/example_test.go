package postgres_test

import (
	"fmt"
	"log"
	"os"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/postgres"
)

// The server is connected to when the first statement runs.
func ExampleOpen() {
	e, err := postgres.Open(postgres.Options{
		Host: "postgres.example.com", SSLMode: "verify-full",
		User: "semlayer", Password: executor.NewSecret(os.Getenv("PGPASSWORD")), Database: "shop",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	fmt.Println(e.Dialect())
	// Output:
	// postgres
}
