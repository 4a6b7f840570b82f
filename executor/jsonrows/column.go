package jsonrows

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// Column writes the values of one column as the rows of a response show them. It
// is used by one goroutine at a time.
type Column struct{ column }

// NewColumn prepares a column. It fails with an error of code driver when its type
// has no JSON form.
func NewColumn(f arrow.Field, hint Hint) (*Column, error) {
	enc := encoderFor(f, hint)
	if enc == nil {
		return nil, &executor.Error{
			Code:    executor.CodeDriver,
			Message: "column " + f.Name + " has the type " + f.Type.String() + ", which has no JSON form",
		}
	}
	return &Column{column{enc: enc}}, nil
}

// Bind makes the column read an array of its type, until the next Bind.
func (c *Column) Bind(a arrow.Array) { c.bind(a) }

// Append appends the value of a row, null if it is null.
func (c *Column) Append(dst []byte, row int) []byte { return c.append(dst, row) }
