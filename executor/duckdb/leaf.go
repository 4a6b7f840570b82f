package duckdb

import (
	"encoding/json"
	"strconv"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// leafCellFor returns the cell that writes a type without parts as JSON, or nil.
func leafCellFor(logical bindings.LogicalType) cell {
	switch bindings.GetTypeId(logical) {
	case bindings.TypeBoolean:
		return textCell(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendBool(dst, *(*uint8)(at) != 0) }, 1)
	case bindings.TypeTinyInt:
		return signedTextCell[int8]()
	case bindings.TypeSmallInt:
		return signedTextCell[int16]()
	case bindings.TypeInteger:
		return signedTextCell[int32]()
	case bindings.TypeBigInt:
		return signedTextCell[int64]()
	case bindings.TypeUTinyInt:
		return unsignedTextCell[uint8]()
	case bindings.TypeUSmallInt:
		return unsignedTextCell[uint16]()
	case bindings.TypeUInteger:
		return unsignedTextCell[uint32]()
	case bindings.TypeUBigInt:
		return unsignedTextCell[uint64]()
	case bindings.TypeFloat:
		return textCell(func(dst []byte, at unsafe.Pointer) []byte {
			return jsontext.AppendFloat(dst, float64(*(*float32)(at)), 32)
		}, 4)
	case bindings.TypeDouble:
		return textCell(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendFloat(dst, *(*float64)(at), 64) }, 8)
	case bindings.TypeHugeInt:
		return wideDecimalCell(0)
	case bindings.TypeUHugeInt:
		return textCell(func(dst []byte, at unsafe.Pointer) []byte {
			words := (*[2]uint64)(at)
			return jsontext.AppendDecimal(dst, []uint64{words[0], words[1], 0, 0}, 0)
		}, 16)
	case bindings.TypeDecimal:
		return decimalLeaf(bindings.DecimalInternalType(logical), int(bindings.DecimalScale(logical)))
	case bindings.TypeBigNum:
		return textCell(bigNumText, stringCell)
	case bindings.TypeVarchar:
		if isJSON(logical) {
			return textCell(jsonLeaf, stringCell)
		}
		return textCell(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendString(dst, stringBytes(at)) }, stringCell)
	case bindings.TypeBlob, bindings.TypeGeometry:
		return textCell(func(dst []byte, at unsafe.Pointer) []byte { return jsontext.AppendBase64(dst, stringBytes(at)) }, stringCell)
	case bindings.TypeUUID:
		return textCell(quoted(uuidText), 16)
	case bindings.TypeBit:
		return textCell(quoted(bitText), stringCell)
	case bindings.TypeEnum:
		words, width := enumLabels(logical)
		return &enumLeaf{enumCell{words: words, width: width}}
	case bindings.TypeSQLNull:
		return textCell(func(dst []byte, _ unsafe.Pointer) []byte { return jsontext.AppendNull(dst) }, 1)
	}
	return temporalLeafFor(bindings.GetTypeId(logical))
}

func temporalLeafFor(id bindings.Type) cell {
	switch id {
	case bindings.TypeDate:
		return textCell(func(dst []byte, at unsafe.Pointer) []byte {
			days := *(*int32)(at)
			if isInfiniteDate(days) {
				return jsontext.AppendNull(dst)
			}
			return append(jsontext.AppendDate(append(dst, '"'), int64(days)), '"')
		}, 4)
	case bindings.TypeTime:
		return timeLeaf(1_000_000)
	case bindings.TypeTimeNS:
		return timeLeaf(1_000_000_000)
	case bindings.TypeTimeTZ:
		return textCell(quoted(timeTZText), 8)
	case bindings.TypeTimestampS:
		return timestampLeaf(1, false)
	case bindings.TypeTimestampMS:
		return timestampLeaf(1000, false)
	case bindings.TypeTimestamp:
		return timestampLeaf(1_000_000, false)
	case bindings.TypeTimestampNS:
		return timestampLeaf(1_000_000_000, false)
	case bindings.TypeTimestampTZ:
		return timestampLeaf(1_000_000, true)
	case bindings.TypeInterval:
		return textCell(quoted(intervalText), 16)
	}
	return nil
}

func signedTextCell[T int8 | int16 | int32 | int64]() cell {
	return textCell(func(dst []byte, at unsafe.Pointer) []byte {
		return strconv.AppendInt(dst, int64(*(*T)(at)), 10)
	}, int(unsafe.Sizeof(T(0))))
}

func unsignedTextCell[T uint8 | uint16 | uint32 | uint64]() cell {
	return textCell(func(dst []byte, at unsafe.Pointer) []byte {
		return strconv.AppendUint(dst, uint64(*(*T)(at)), 10)
	}, int(unsafe.Sizeof(T(0))))
}

func wideDecimalCell(scale int) cell {
	return textCell(func(dst []byte, at unsafe.Pointer) []byte {
		return jsontext.AppendDecimal(dst, (*[2]uint64)(at)[:], scale)
	}, 16)
}

func narrowDecimalCell[T int16 | int32 | int64](scale int) cell {
	return textCell(func(dst []byte, at unsafe.Pointer) []byte {
		v := int64(*(*T)(at))
		return jsontext.AppendDecimal(dst, []uint64{uint64(v)}, scale)
	}, int(unsafe.Sizeof(T(0))))
}

func decimalLeaf(internal bindings.Type, scale int) cell {
	switch internal {
	case bindings.TypeSmallInt:
		return narrowDecimalCell[int16](scale)
	case bindings.TypeInteger:
		return narrowDecimalCell[int32](scale)
	case bindings.TypeBigInt:
		return narrowDecimalCell[int64](scale)
	default:
		return wideDecimalCell(scale)
	}
}

func timeLeaf(perSecond int64) cell {
	return textCell(quoted(func(dst []byte, at unsafe.Pointer) []byte {
		return jsontext.AppendTime(dst, *(*int64)(at), perSecond)
	}), 8)
}

func timestampLeaf(perSecond int64, utc bool) cell {
	return textCell(func(dst []byte, at unsafe.Pointer) []byte {
		v := *(*int64)(at)
		if isInfiniteTimestamp(v) {
			return jsontext.AppendNull(dst)
		}
		return append(jsontext.AppendTimestamp(append(dst, '"'), v, perSecond, utc), '"')
	}, 8)
}

func intervalText(dst []byte, at unsafe.Pointer) []byte {
	v := (*interval)(at)
	return jsontext.AppendInterval(dst, int64(v.months), int64(v.days), v.micros, 1_000_000)
}

// jsonLeaf embeds a JSON value in a JSON value.
func jsonLeaf(dst []byte, at unsafe.Pointer) []byte {
	text := stringBytes(at)
	if json.Valid(text) {
		return append(dst, text...)
	}
	return jsontext.AppendString(dst, text)
}

func quoted(text func([]byte, unsafe.Pointer) []byte) func([]byte, unsafe.Pointer) []byte {
	return func(dst []byte, at unsafe.Pointer) []byte {
		return append(text(append(dst, '"'), at), '"')
	}
}

// enumLeaf is an ENUM inside a nested value.
type enumLeaf struct{ enumCell }

func (c *enumLeaf) write(dst []byte, row int) []byte { return jsontext.AppendString(dst, c.label(row)) }
