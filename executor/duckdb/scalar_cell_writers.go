package duckdb

import (
	"encoding/json"
	"strconv"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// newScalarJSONWriter returns the cell that writes a type without parts as JSON, or nil.
func newScalarJSONWriter(logical bindings.LogicalType) cellWriter {
	switch bindings.GetTypeId(logical) {
	case bindings.TypeBoolean:
		return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendBool(dst, *(*uint8)(at) != 0) }, 1)
	case bindings.TypeTinyInt:
		return newSignedIntegerCellWriter[int8]()
	case bindings.TypeSmallInt:
		return newSignedIntegerCellWriter[int16]()
	case bindings.TypeInteger:
		return newSignedIntegerCellWriter[int32]()
	case bindings.TypeBigInt:
		return newSignedIntegerCellWriter[int64]()
	case bindings.TypeUTinyInt:
		return newUnsignedIntegerCellWriter[uint8]()
	case bindings.TypeUSmallInt:
		return newUnsignedIntegerCellWriter[uint16]()
	case bindings.TypeUInteger:
		return newUnsignedIntegerCellWriter[uint32]()
	case bindings.TypeUBigInt:
		return newUnsignedIntegerCellWriter[uint64]()
	case bindings.TypeFloat:
		return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
			return jsontext.AppendFloat(dst, float64(*(*float32)(at)), 32)
		}, 4)
	case bindings.TypeDouble:
		return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendFloat(dst, *(*float64)(at), 64) }, 8)
	case bindings.TypeHugeInt:
		return newWideDecimalCellWriter(0)
	case bindings.TypeUHugeInt:
		return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
			words := (*[2]uint64)(at)
			return jsontext.AppendDecimal(dst, []uint64{words[0], words[1], 0, 0}, 0)
		}, 16)
	case bindings.TypeDecimal:
		return newDecimalCellWriter(bindings.DecimalInternalType(logical), int(bindings.DecimalScale(logical)))
	case bindings.TypeBigNum:
		return newFixedWidthCellWriter(appendBigNumText, stringCellSize)
	case bindings.TypeVarchar:
		if isJSONType(logical) {
			return newFixedWidthCellWriter(appendJSONCellOrString, stringCellSize)
		}
		return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendString(dst, readStringCell(at)) }, stringCellSize)
	case bindings.TypeBlob, bindings.TypeGeometry:
		return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendBase64(dst, readStringCell(at)) }, stringCellSize)
	case bindings.TypeUUID:
		return newFixedWidthCellWriter(newQuotingAppender(appendUUIDText), 16)
	case bindings.TypeBit:
		return newFixedWidthCellWriter(newQuotingAppender(appendBitText), stringCellSize)
	case bindings.TypeEnum:
		words, width := enumLabelsAndWidth(logical)
		return &nestedEnumCellWriter{enumCellWriter{words: words, width: width}}
	case bindings.TypeSQLNull:
		return newFixedWidthCellWriter(func(dst []byte, _ unsafe.Pointer) []byte { return jsontext.AppendNull(dst) }, 1)
	}
	return newTemporalCellWriter(bindings.GetTypeId(logical))
}

func newTemporalCellWriter(id bindings.Type) cellWriter {
	switch id {
	case bindings.TypeDate:
		return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
			days := *(*int32)(at)
			if isInfiniteDate(days) {
				return jsontext.AppendNull(dst)
			}
			return append(jsontext.AppendDate(append(dst, '"'), int64(days)), '"')
		}, 4)
	case bindings.TypeTime:
		return newTimeCellWriter(1_000_000)
	case bindings.TypeTimeNS:
		return newTimeCellWriter(1_000_000_000)
	case bindings.TypeTimeTZ:
		return newFixedWidthCellWriter(newQuotingAppender(appendTimeTZText), 8)
	case bindings.TypeTimestampS:
		return newTimestampCellWriter(1, false)
	case bindings.TypeTimestampMS:
		return newTimestampCellWriter(1000, false)
	case bindings.TypeTimestamp:
		return newTimestampCellWriter(1_000_000, false)
	case bindings.TypeTimestampNS:
		return newTimestampCellWriter(1_000_000_000, false)
	case bindings.TypeTimestampTZ:
		return newTimestampCellWriter(1_000_000, true)
	case bindings.TypeInterval:
		return newFixedWidthCellWriter(newQuotingAppender(appendIntervalText), 16)
	}
	return nil
}

func newSignedIntegerCellWriter[T int8 | int16 | int32 | int64]() cellWriter {
	return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
		return strconv.AppendInt(dst, int64(*(*T)(at)), 10)
	}, int(unsafe.Sizeof(T(0))))
}

func newUnsignedIntegerCellWriter[T uint8 | uint16 | uint32 | uint64]() cellWriter {
	return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
		return strconv.AppendUint(dst, uint64(*(*T)(at)), 10)
	}, int(unsafe.Sizeof(T(0))))
}

func newWideDecimalCellWriter(scale int) cellWriter {
	return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
		return jsontext.AppendDecimal(dst, (*[2]uint64)(at)[:], scale)
	}, 16)
}

func newSmallDecimalCellWriter[T int16 | int32 | int64](scale int) cellWriter {
	return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
		v := int64(*(*T)(at))
		return jsontext.AppendDecimal(dst, []uint64{uint64(v)}, scale)
	}, int(unsafe.Sizeof(T(0))))
}

func newDecimalCellWriter(internal bindings.Type, scale int) cellWriter {
	switch internal {
	case bindings.TypeSmallInt:
		return newSmallDecimalCellWriter[int16](scale)
	case bindings.TypeInteger:
		return newSmallDecimalCellWriter[int32](scale)
	case bindings.TypeBigInt:
		return newSmallDecimalCellWriter[int64](scale)
	default:
		return newWideDecimalCellWriter(scale)
	}
}

func newTimeCellWriter(perSecond int64) cellWriter {
	return newFixedWidthCellWriter(newQuotingAppender(func(dst []byte, at unsafe.Pointer) []byte {
		return jsontext.AppendTime(dst, *(*int64)(at), perSecond)
	}), 8)
}

func newTimestampCellWriter(perSecond int64, utc bool) cellWriter {
	return newFixedWidthCellWriter(func(dst []byte, at unsafe.Pointer) []byte {
		v := *(*int64)(at)
		if isInfiniteTimestamp(v) {
			return jsontext.AppendNull(dst)
		}
		return append(jsontext.AppendTimestamp(append(dst, '"'), v, perSecond, utc), '"')
	}, 8)
}

func appendIntervalText(dst []byte, at unsafe.Pointer) []byte {
	v := (*duckdbInterval)(at)
	return jsontext.AppendInterval(dst, int64(v.months), int64(v.days), v.micros, 1_000_000)
}

// appendJSONCellOrString embeds a JSON value in a JSON value.
func appendJSONCellOrString(dst []byte, at unsafe.Pointer) []byte {
	text := readStringCell(at)
	if json.Valid(text) {
		return append(dst, text...)
	}
	return jsontext.AppendString(dst, text)
}

func newQuotingAppender(text func([]byte, unsafe.Pointer) []byte) func([]byte, unsafe.Pointer) []byte {
	return func(dst []byte, at unsafe.Pointer) []byte {
		return append(text(append(dst, '"'), at), '"')
	}
}

// nestedEnumCellWriter is an ENUM inside a nested value.
type nestedEnumCellWriter struct{ enumCellWriter }

func (c *nestedEnumCellWriter) appendCell(dst []byte, row int) []byte {
	return jsontext.AppendString(dst, c.labelOfRow(row))
}
