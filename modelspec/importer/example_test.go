package importer_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// A format reads the keys of an object one by one; those that it does not know are entries
// of the report.
func ExampleReport_ReadObject() {
	documents, err := importer.Read(importer.SourceFile{Name: "orders.yml", Text: []byte("name: orders\ncolour: red\n")}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	var report importer.Report
	o := report.ReadObject(documents[0], "table", "orders")
	fmt.Println(o.GetText("name"))
	o.Close()
	for _, e := range report.Entries() {
		fmt.Printf("%s:%d: %s %s: %s\n", e.File, e.Line, e.Outcome, e.Name, e.Reason)
	}
	// Output:
	// orders
	// orders.yml:2: dropped orders.colour: the key is not known
}
