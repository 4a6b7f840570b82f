package fileschema_test

import (
	"fmt"

	"github.com/semlayer/semlayer/engine/fileschema"
)

func ExampleTestFileSchema() {
	for _, p := range fileschema.TestFileSchema().Defs {
		fmt.Println(p.Name)
	}
	// Output:
	// test
	// expect
	// query
	// select
	// attribute
}
