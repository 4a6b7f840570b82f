package mysql_test

import (
	"fmt"
	"log"
	"os"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/mysql"
)

// The server is connected to when the first statement runs.
func ExampleOpen() {
	e, err := mysql.Open(mysql.Options{
		Host: "mysql.example.com", TLS: "true",
		User: "semlayer", Password: executor.NewSecret(os.Getenv("MYSQL_PASSWORD")), Database: "shop",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	fmt.Println(e.Dialect())
	// Output:
	// mysql
}
