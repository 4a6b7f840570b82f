// Package columnconversion converts columns of one Arrow type to another. Package coerce and the
// drivers whose warehouses send Arrow use it.
//
//	NewSameLayoutConversion    the same memory under another type
//	NewValueByValueConversion  a new column, built value by value; nulls stay nulls
//	NewFixedWidthConversion    NewValueByValueConversion over cells of one width
package columnconversion

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Func makes a column of another type. The caller releases what it returns; the argument stays
// theirs as well. An error is that of the first value that has no counterpart.
type Func func(arrow.Array) (arrow.Array, error)

// NewSameLayoutConversion gives the same memory another type of the same layout.
func NewSameLayoutConversion(dt arrow.DataType) Func {
	return func(a arrow.Array) (arrow.Array, error) {
		data := array.NewData(dt, a.Len(), a.Data().Buffers(), nil, a.NullN(), a.Data().Offset())
		defer data.Release()
		return array.MakeFromData(data), nil
	}
}

// valueBuilder is one of Arrow's for values of one type.
type valueBuilder[T any] interface {
	array.Builder
	Append(v T)
}

// NewValueByValueConversion builds a column of type dt, whose builder appends a T. bind returns the value of a
// row that is not null.
func NewValueByValueConversion[T any](dt arrow.DataType, bind func(arrow.Array) func(row int) (T, error)) Func {
	return func(a arrow.Array) (arrow.Array, error) {
		b := array.NewBuilder(memory.DefaultAllocator, dt).(valueBuilder[T])
		defer b.Release()
		b.Reserve(a.Len())
		value := bind(a)
		for row := range a.Len() {
			if a.IsNull(row) {
				b.AppendNull()
				continue
			}
			v, err := value(row)
			if err != nil {
				return nil, err
			}
			b.Append(v)
		}
		return b.NewArray(), nil
	}
}

// NewFixedWidthConversion converts cells of one width.
func NewFixedWidthConversion[From arrow.FixedWidthType, To any](dt arrow.DataType, convert func(From) To) Func {
	return NewValueByValueConversion(dt, func(a arrow.Array) func(int) (To, error) {
		cells := arrow.GetValues[From](a.Data(), 1)
		return func(row int) (To, error) { return convert(cells[row]), nil }
	})
}
