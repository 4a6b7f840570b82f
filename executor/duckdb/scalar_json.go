package duckdb

import (
	"encoding/json"
	"strconv"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// newScalarJSONWriter returns the cell that writes a type without parts as JSON, or nil.
func newScalarJSONWriter(logical bindings.LogicalType) cellTextWriter {
	switch bindings.GetTypeId(logical) {
	case bindings.TypeBoolean:
		return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendBool(dst, *(*uint8)(at) != 0) }, 1)
	case bindings.TypeTinyInt:
		return newSignedIntegerCellJSONWriter[int8]()
	case bindings.TypeSmallInt:
		return newSignedIntegerCellJSONWriter[int16]()
	case bindings.TypeInteger:
		return newSignedIntegerCellJSONWriter[int32]()
	case bindings.TypeBigInt:
		return newSignedIntegerCellJSONWriter[int64]()
	case bindings.TypeUTinyInt:
		return newUnsignedIntegerCellJSONWriter[uint8]()
	case bindings.TypeUSmallInt:
		return newUnsignedIntegerCellJSONWriter[uint16]()
	case bindings.TypeUInteger:
		return newUnsignedIntegerCellJSONWriter[uint32]()
	case bindings.TypeUBigInt:
		return newUnsignedIntegerCellJSONWriter[uint64]()
	case bindings.TypeFloat:
		return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
			return jsontext.AppendFloat(dst, float64(*(*float32)(at)), 32)
		}, 4)
	case bindings.TypeDouble:
		return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendFloat(dst, *(*float64)(at), 64) }, 8)
	case bindings.TypeHugeInt:
		return newWideDecimalCellJSONWriter(0)
	case bindings.TypeUHugeInt:
		return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
			words := (*[2]uint64)(at)
			return jsontext.AppendDecimal(dst, []uint64{words[0], words[1], 0, 0}, 0)
		}, 16)
	case bindings.TypeDecimal:
		return newDecimalCellJSONWriter(bindings.DecimalInternalType(logical), int(bindings.DecimalScale(logical)))
	case bindings.TypeBigNum:
		return newFixedWidthCellTextWriter(appendBigNumText, stringCellSize)
	case bindings.TypeVarchar:
		if isJSONType(logical) {
			return newFixedWidthCellTextWriter(appendJSONCellOrString, stringCellSize)
		}
		return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendString(dst, readStringCell(at)) }, stringCellSize)
	case bindings.TypeBlob, bindings.TypeGeometry:
		return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendBase64(dst, readStringCell(at)) }, stringCellSize)
	case bindings.TypeUUID:
		return newFixedWidthCellTextWriter(newQuotingAppender(appendUUIDText), 16)
	case bindings.TypeBit:
		return newFixedWidthCellTextWriter(newQuotingAppender(appendBitText), stringCellSize)
	case bindings.TypeEnum:
		words, width := enumLabelsAndWidth(logical)
		return &nestedEnumCellJSONWriter{enumCellTextWriter{words: words, width: width}}
	case bindings.TypeSQLNull:
		return newFixedWidthCellTextWriter(func(dst []byte, _ unsafe.Pointer) []byte { return jsontext.AppendNull(dst) }, 1)
	}
	return newTemporalCellJSONWriter(bindings.GetTypeId(logical))
}

func newTemporalCellJSONWriter(id bindings.Type) cellTextWriter {
	switch id {
	case bindings.TypeDate:
		return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
			days := *(*int32)(at)
			if isInfiniteDate(days) {
				return jsontext.AppendNull(dst)
			}
			return append(jsontext.AppendDate(append(dst, '"'), int64(days)), '"')
		}, 4)
	case bindings.TypeTime:
		return newTimeCellJSONWriter(1_000_000)
	case bindings.TypeTimeNS:
		return newTimeCellJSONWriter(1_000_000_000)
	case bindings.TypeTimeTZ:
		return newFixedWidthCellTextWriter(newQuotingAppender(appendTimeTZText), 8)
	case bindings.TypeTimestampS:
		return newTimestampCellJSONWriter(1, false)
	case bindings.TypeTimestampMS:
		return newTimestampCellJSONWriter(1000, false)
	case bindings.TypeTimestamp:
		return newTimestampCellJSONWriter(1_000_000, false)
	case bindings.TypeTimestampNS:
		return newTimestampCellJSONWriter(1_000_000_000, false)
	case bindings.TypeTimestampTZ:
		return newTimestampCellJSONWriter(1_000_000, true)
	case bindings.TypeInterval:
		return newFixedWidthCellTextWriter(newQuotingAppender(appendIntervalAsISODuration), 16)
	}
	return nil
}

func newSignedIntegerCellJSONWriter[T int8 | int16 | int32 | int64]() cellTextWriter {
	return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
		return strconv.AppendInt(dst, int64(*(*T)(at)), 10)
	}, int(unsafe.Sizeof(T(0))))
}

func newUnsignedIntegerCellJSONWriter[T uint8 | uint16 | uint32 | uint64]() cellTextWriter {
	return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
		return strconv.AppendUint(dst, uint64(*(*T)(at)), 10)
	}, int(unsafe.Sizeof(T(0))))
}

func newWideDecimalCellJSONWriter(scale int) cellTextWriter {
	return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
		return jsontext.AppendDecimal(dst, (*[2]uint64)(at)[:], scale)
	}, 16)
}

func newSmallDecimalCellJSONWriter[T int16 | int32 | int64](scale int) cellTextWriter {
	return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
		v := int64(*(*T)(at))
		return jsontext.AppendDecimal(dst, []uint64{uint64(v)}, scale)
	}, int(unsafe.Sizeof(T(0))))
}

func newDecimalCellJSONWriter(internal bindings.Type, scale int) cellTextWriter {
	switch internal {
	case bindings.TypeSmallInt:
		return newSmallDecimalCellJSONWriter[int16](scale)
	case bindings.TypeInteger:
		return newSmallDecimalCellJSONWriter[int32](scale)
	case bindings.TypeBigInt:
		return newSmallDecimalCellJSONWriter[int64](scale)
	default:
		return newWideDecimalCellJSONWriter(scale)
	}
}

func newTimeCellJSONWriter(perSecond int64) cellTextWriter {
	return newFixedWidthCellTextWriter(newQuotingAppender(func(dst []byte, at unsafe.Pointer) []byte {
		return jsontext.AppendTime(dst, *(*int64)(at), perSecond)
	}), 8)
}

func newTimestampCellJSONWriter(perSecond int64, utc bool) cellTextWriter {
	return newFixedWidthCellTextWriter(func(dst []byte, at unsafe.Pointer) []byte {
		v := *(*int64)(at)
		if isInfiniteTimestamp(v) {
			return jsontext.AppendNull(dst)
		}
		return append(jsontext.AppendTimestamp(append(dst, '"'), v, perSecond, utc), '"')
	}, 8)
}

// appendIntervalAsISODuration appends the ISO 8601 duration of an interval.
func appendIntervalAsISODuration(dst []byte, at unsafe.Pointer) []byte {
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

// nestedEnumCellJSONWriter is an ENUM inside a nested value.
type nestedEnumCellJSONWriter struct{ enumCellTextWriter }

func (c *nestedEnumCellJSONWriter) appendCell(dst []byte, row int) []byte {
	return jsontext.AppendString(dst, c.labelOfRow(row))
}
