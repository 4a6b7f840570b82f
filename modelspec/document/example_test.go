package document_test

import (
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/document"
)

func ExampleReadYAML() {
	documents, err := document.ReadYAML([]byte("# a comment\nname: shop\n"), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	value := documents[0].Root.Content[1]
	fmt.Println(value.Value, value.Line, value.Column)

	_, err = document.ReadYAML([]byte("# a comment\nname: a: b\n"), 1)
	if mistake := (*document.Error)(nil); errors.As(err, &mistake) {
		fmt.Printf("line %d, column %d: %s\n", mistake.Line, mistake.Column, mistake)
	}
	// Output:
	// shop 2 7
	// line 2, column 8: mapping values are not allowed in this context
}
