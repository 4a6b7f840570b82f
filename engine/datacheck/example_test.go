package datacheck_test

import (
	"fmt"

	"github.com/semlayer/semlayer/engine/datacheck"
)

func ExampleOptions_RejectUnknownSkipCodes() {
	o := datacheck.Options{Skip: []string{"key_not_unqiue"}}
	fmt.Println(o.RejectUnknownSkipCodes())
	// Output:
	// unknown code of a finding about data: `key_not_unqiue`; the nearest are key_not_unique, key_has_null, period_not_whole, column_not_found, source_not_found
}
