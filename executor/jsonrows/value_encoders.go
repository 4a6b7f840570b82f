package jsonrows

import (
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/float16"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// valueEncoder appends the values of one column. It is asked only for rows that are
// not null, and only after bind.
type valueEncoder interface {
	bindArray(a arrow.Array)
	appendValue(dst []byte, row int) []byte
}

// encoderForField returns the encoder of a field, or nil when there is none.
func encoderForField(f arrow.Field, hint TypeHint) valueEncoder {
	if enc := encoderForHint(f.Type, hint); enc != nil {
		return enc
	}
	switch f.Type.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		switch executor.TextKindOfField(f) {
		case executor.TextKindDecimal:
			return &textEncoder{write: jsontext.AppendNumberOrNull[string]}
		case executor.TextKindJSON:
			return &textEncoder{write: appendJSONOrString}
		default:
			return &textEncoder{write: jsontext.AppendString[string]}
		}
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return &binaryEncoder{write: jsontext.AppendBase64}
	}
	if enc := encoderForSimpleType(f.Type); enc != nil {
		return enc
	}
	if enc := newTemporalEncoder(f.Type); enc != nil {
		return enc
	}
	return newNestedEncoder(f.Type)
}

// fixedWidthEncoder encodes fixed-width values straight from their buffer.
type fixedWidthEncoder[T arrow.FixedWidthType] struct {
	cells []T
	write func(dst []byte, v T) []byte
}

func (e *fixedWidthEncoder[T]) bindArray(a arrow.Array) { e.cells = arrow.GetValues[T](a.Data(), 1) }

func (e *fixedWidthEncoder[T]) appendValue(dst []byte, row int) []byte {
	return e.write(dst, e.cells[row])
}

func encoderForSimpleType(dt arrow.DataType) valueEncoder {
	switch dt := dt.(type) {
	case *arrow.NullType:
		return nullEncoder{}
	case *arrow.BooleanType:
		return &booleanArrayEncoder{}
	case *arrow.Int8Type:
		return &fixedWidthEncoder[int8]{write: appendSignedInteger[int8]}
	case *arrow.Int16Type:
		return &fixedWidthEncoder[int16]{write: appendSignedInteger[int16]}
	case *arrow.Int32Type:
		return &fixedWidthEncoder[int32]{write: appendSignedInteger[int32]}
	case *arrow.Int64Type:
		return &fixedWidthEncoder[int64]{write: appendSignedInteger[int64]}
	case *arrow.Uint8Type:
		return &fixedWidthEncoder[uint8]{write: appendUnsignedInteger[uint8]}
	case *arrow.Uint16Type:
		return &fixedWidthEncoder[uint16]{write: appendUnsignedInteger[uint16]}
	case *arrow.Uint32Type:
		return &fixedWidthEncoder[uint32]{write: appendUnsignedInteger[uint32]}
	case *arrow.Uint64Type:
		return &fixedWidthEncoder[uint64]{write: appendUnsignedInteger[uint64]}
	case *arrow.Float16Type:
		return &fixedWidthEncoder[float16.Num]{write: func(dst []byte, v float16.Num) []byte {
			return jsontext.AppendFloat(dst, float64(v.Float32()), 32)
		}}
	case *arrow.Float32Type:
		return &fixedWidthEncoder[float32]{write: func(dst []byte, v float32) []byte { return jsontext.AppendFloat(dst, float64(v), 32) }}
	case *arrow.Float64Type:
		return &fixedWidthEncoder[float64]{write: func(dst []byte, v float64) []byte { return jsontext.AppendFloat(dst, v, 64) }}
	case *arrow.Decimal32Type:
		scale := int(dt.Scale)
		return &fixedWidthEncoder[decimal.Decimal32]{write: func(dst []byte, v decimal.Decimal32) []byte {
			return jsontext.AppendDecimal(dst, []uint64{uint64(int64(v))}, scale)
		}}
	case *arrow.Decimal64Type:
		scale := int(dt.Scale)
		return &fixedWidthEncoder[decimal.Decimal64]{write: func(dst []byte, v decimal.Decimal64) []byte {
			return jsontext.AppendDecimal(dst, []uint64{uint64(v)}, scale)
		}}
	case *arrow.Decimal128Type:
		scale := int(dt.Scale)
		return &fixedWidthEncoder[decimal.Decimal128]{write: func(dst []byte, v decimal.Decimal128) []byte {
			return jsontext.AppendDecimal(dst, []uint64{v.LowBits(), uint64(v.HighBits())}, scale)
		}}
	case *arrow.Decimal256Type:
		scale := int(dt.Scale)
		return &fixedWidthEncoder[decimal.Decimal256]{write: func(dst []byte, v decimal.Decimal256) []byte {
			words := v.Array()
			return jsontext.AppendDecimal(dst, words[:], scale)
		}}
	}
	return nil
}

func appendSignedInteger[T int8 | int16 | int32 | int64](dst []byte, v T) []byte {
	return strconv.AppendInt(dst, int64(v), 10)
}

func appendUnsignedInteger[T uint8 | uint16 | uint32 | uint64](dst []byte, v T) []byte {
	return strconv.AppendUint(dst, uint64(v), 10)
}

type nullEncoder struct{}

func (nullEncoder) bindArray(arrow.Array) {}

func (nullEncoder) appendValue(dst []byte, _ int) []byte { return jsontext.AppendNull(dst) }

type booleanArrayEncoder struct{ array *array.Boolean }

func (e *booleanArrayEncoder) bindArray(a arrow.Array) { e.array = a.(*array.Boolean) }

func (e *booleanArrayEncoder) appendValue(dst []byte, row int) []byte {
	return jsontext.AppendBool(dst, e.array.Value(row))
}

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
