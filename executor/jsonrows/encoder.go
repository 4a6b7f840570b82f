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

// encoder appends the values of one column. It is asked only for rows that are
// not null, and only after bind.
type encoder interface {
	bind(a arrow.Array)
	append(dst []byte, row int) []byte
}

// encoderFor returns the encoder of a field, or nil when there is none.
func encoderFor(f arrow.Field, hint Hint) encoder {
	if enc := encoderForHint(f.Type, hint); enc != nil {
		return enc
	}
	switch f.Type.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		switch executor.FieldKind(f) {
		case executor.KindNumber:
			return &texts{write: jsontext.AppendNumber[string]}
		case executor.KindJSON:
			return &texts{write: appendJSON}
		default:
			return &texts{write: jsontext.AppendString[string]}
		}
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return &binaryEncoder{write: jsontext.AppendBase64}
	}
	if enc := numberFor(f.Type); enc != nil {
		return enc
	}
	if enc := temporalFor(f.Type); enc != nil {
		return enc
	}
	return nestedFor(f.Type)
}

// valueWriter encodes fixed-width values straight from their buffer.
type valueWriter[T arrow.FixedWidthType] struct {
	cells []T
	write func(dst []byte, v T) []byte
}

func (e *valueWriter[T]) bind(a arrow.Array) { e.cells = arrow.GetValues[T](a.Data(), 1) }

func (e *valueWriter[T]) append(dst []byte, row int) []byte { return e.write(dst, e.cells[row]) }

func numberFor(dt arrow.DataType) encoder {
	switch dt := dt.(type) {
	case *arrow.NullType:
		return nulls{}
	case *arrow.BooleanType:
		return &booleans{}
	case *arrow.Int8Type:
		return &valueWriter[int8]{write: signed[int8]}
	case *arrow.Int16Type:
		return &valueWriter[int16]{write: signed[int16]}
	case *arrow.Int32Type:
		return &valueWriter[int32]{write: signed[int32]}
	case *arrow.Int64Type:
		return &valueWriter[int64]{write: signed[int64]}
	case *arrow.Uint8Type:
		return &valueWriter[uint8]{write: unsigned[uint8]}
	case *arrow.Uint16Type:
		return &valueWriter[uint16]{write: unsigned[uint16]}
	case *arrow.Uint32Type:
		return &valueWriter[uint32]{write: unsigned[uint32]}
	case *arrow.Uint64Type:
		return &valueWriter[uint64]{write: unsigned[uint64]}
	case *arrow.Float16Type:
		return &valueWriter[float16.Num]{write: func(dst []byte, v float16.Num) []byte {
			return jsontext.AppendFloat(dst, float64(v.Float32()), 32)
		}}
	case *arrow.Float32Type:
		return &valueWriter[float32]{write: func(dst []byte, v float32) []byte { return jsontext.AppendFloat(dst, float64(v), 32) }}
	case *arrow.Float64Type:
		return &valueWriter[float64]{write: func(dst []byte, v float64) []byte { return jsontext.AppendFloat(dst, v, 64) }}
	case *arrow.Decimal32Type:
		scale := int(dt.Scale)
		return &valueWriter[decimal.Decimal32]{write: func(dst []byte, v decimal.Decimal32) []byte {
			return jsontext.AppendDecimal(dst, []uint64{uint64(int64(v))}, scale)
		}}
	case *arrow.Decimal64Type:
		scale := int(dt.Scale)
		return &valueWriter[decimal.Decimal64]{write: func(dst []byte, v decimal.Decimal64) []byte {
			return jsontext.AppendDecimal(dst, []uint64{uint64(v)}, scale)
		}}
	case *arrow.Decimal128Type:
		scale := int(dt.Scale)
		return &valueWriter[decimal.Decimal128]{write: func(dst []byte, v decimal.Decimal128) []byte {
			return jsontext.AppendDecimal(dst, []uint64{v.LowBits(), uint64(v.HighBits())}, scale)
		}}
	case *arrow.Decimal256Type:
		scale := int(dt.Scale)
		return &valueWriter[decimal.Decimal256]{write: func(dst []byte, v decimal.Decimal256) []byte {
			words := v.Array()
			return jsontext.AppendDecimal(dst, words[:], scale)
		}}
	}
	return nil
}

func signed[T int8 | int16 | int32 | int64](dst []byte, v T) []byte {
	return strconv.AppendInt(dst, int64(v), 10)
}

func unsigned[T uint8 | uint16 | uint32 | uint64](dst []byte, v T) []byte {
	return strconv.AppendUint(dst, uint64(v), 10)
}

type nulls struct{}

func (nulls) bind(arrow.Array) {}

func (nulls) append(dst []byte, _ int) []byte { return jsontext.AppendNull(dst) }

type booleans struct{ array *array.Boolean }

func (e *booleans) bind(a arrow.Array) { e.array = a.(*array.Boolean) }

func (e *booleans) append(dst []byte, row int) []byte {
	return jsontext.AppendBool(dst, e.array.Value(row))
}
