package lexical_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

func Example() {
	src := `amount_2>'it''s'`
	end := lexical.WordEnd(src, 0)
	fmt.Println(src[:end])
	fmt.Println(lexical.Unquote(src[end+1 : lexical.QuotedEnd(src, end+1)]))
	// Output:
	// amount_2
	// it's
}
