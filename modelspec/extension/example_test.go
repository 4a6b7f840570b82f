package extension_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

func ExampleReadField() {
	field, found := extension.ReadField(modelspec.Place{Location: "orders.day"}, []*modelspec.CustomExtension{{
		VendorName: "SEMLAYER",
		Data:       modelspec.LocatedText{Value: `{"v": "1.10", "is_dimension": true, "colour": "red"}`},
		IsText:     true,
	}})
	fmt.Println("dimension:", *field.IsDimension)
	for _, e := range found.Errors {
		fmt.Println("error:", e.Code, e.Message)
	}
	for _, w := range found.Warnings {
		fmt.Println("warning:", w.Code, w.Message)
	}
	// Output:
	// dimension: true
	// error: invalid_vendor_extension unknown key "colour"
}
