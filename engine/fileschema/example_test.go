package fileschema_test

import (
	"fmt"

	"github.com/semlayer/semlayer/engine/fileschema"
)

func ExampleModelTestFileSchema() {
	for _, p := range fileschema.ModelTestFileSchema().Defs {
		fmt.Println(p.Name)
	}
	// Output:
	// test
	// expect
	// query
	// select
	// attribute
}
