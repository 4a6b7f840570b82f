package jsonrows

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// ColumnEncoder writes the values of one column as the rows of a response show them. It
// is used by one goroutine at a time.
type ColumnEncoder struct{ nullableEncoder }

// NewColumnEncoder prepares a column. It fails with an error of code driver when its type
// has no JSON form.
func NewColumnEncoder(f arrow.Field, hint TypeHint) (*ColumnEncoder, error) {
	enc := encoderForField(f, hint)
	if enc == nil {
		return nil, &executor.Error{
			Code:    executor.CodeDriver,
			Message: "column " + f.Name + " has the type " + f.Type.String() + ", which has no JSON form",
		}
	}
	return &ColumnEncoder{nullableEncoder{enc: enc}}, nil
}

// BindArray makes the column read an array of its type, until the next Bind.
func (c *ColumnEncoder) BindArray(a arrow.Array) { c.bindArray(a) }

// AppendValue appends the value of a row, null if it is null.
func (c *ColumnEncoder) AppendValue(dst []byte, row int) []byte { return c.appendValue(dst, row) }
