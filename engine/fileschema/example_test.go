package fileschema_test

import (
	"fmt"

	"github.com/semlayer/semlayer/engine/fileschema"
)

func ExampleTests() {
	for _, p := range fileschema.Tests().Defs {
		fmt.Println(p.Name)
	}
	// Output:
	// test
	// expect
	// query
	// select
	// attribute
}
