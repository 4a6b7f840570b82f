package clickhouse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal256"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/columnconversion"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// newConverterWithPlainTextKind converts to a type that needs no kind of text.
func newConverterWithPlainTextKind(dt arrow.DataType, convert columnconversion.Func) columnConverter {
	return columnConverter{dt, executor.TextKindPlain, convert}
}

// newSameLayoutConverter gives the same memory another type of the same layout.
func newSameLayoutConverter(dt arrow.DataType) columnConverter {
	return newConverterWithPlainTextKind(dt, columnconversion.NewSameLayoutConversion(dt))
}

// newConverterToText converts values to text.
func newConverterToText(kind executor.TextKind, bind func(arrow.Array) func(row int) (string, error)) columnConverter {
	return columnConverter{arrow.BinaryTypes.String, kind, columnconversion.NewValueByValueConversion(arrow.BinaryTypes.String, bind)}
}

func fixedBinaryToText(write func([]byte) string) func(arrow.Array) func(int) (string, error) {
	return func(a arrow.Array) func(int) (string, error) {
		cells := a.(*array.FixedSizeBinary)
		return func(row int) (string, error) { return write(cells.Value(row)), nil }
	}
}

func fixedWidthToText[T arrow.FixedWidthType](write func(T) string) func(arrow.Array) func(int) (string, error) {
	return func(a arrow.Array) func(int) (string, error) {
		cells := arrow.GetValues[T](a.Data(), 1)
		return func(row int) (string, error) { return write(cells[row]), nil }
	}
}

func formatIPv4(v uint32) string {
	return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}).String()
}

func formatIPv6(b []byte) string {
	address, _ := netip.AddrFromSlice(b)
	return address.String()
}

func formatUUID(b []byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func trimZeroBytes(b []byte) string { return strings.TrimRight(string(b), "\x00") }

func formatUint256(b []byte) string {
	big1 := slices.Clone(b)
	slices.Reverse(big1)
	return new(big.Int).SetBytes(big1).String()
}

func newUint128Converter() columnConverter {
	dt := &arrow.Decimal256Type{Precision: 39}
	return newConverterWithPlainTextKind(dt, columnconversion.NewValueByValueConversion(dt, func(a arrow.Array) func(int) (decimal256.Num, error) {
		cells := a.(*array.FixedSizeBinary)
		return func(row int) (decimal256.Num, error) {
			b := cells.Value(row)
			return decimal256.New(0, 0, binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b)), nil
		}
	}))
}

var errUnknownEnumNumber = errors.New("it holds a number that its enumeration does not name")

// newEnumToTextConverter writes the names of an enumeration.
func newEnumToTextConverter[T int8 | int16](args string) (columnConverter, error) {
	names, ok := parseEnumLabels(args)
	if !ok {
		return columnConverter{}, errUnknownType
	}
	return newConverterToText(executor.TextKindEnum, func(a arrow.Array) func(int) (string, error) {
		cells := arrow.GetValues[T](a.Data(), 1)
		return func(row int) (string, error) {
			if name, ok := names[int(cells[row])]; ok {
				return name, nil
			}
			return "", errUnknownEnumNumber
		}
	}), nil
}

// parseEnumLabels reads 'a' = 1, 'it\'s' = 2.
func parseEnumLabels(args string) (map[int]string, bool) {
	names := map[int]string{}
	for rest := strings.TrimSpace(args); rest != ""; {
		if rest[0] != '\'' {
			return nil, false
		}
		var name strings.Builder
		i := 1
		for ; i < len(rest) && rest[i] != '\''; i++ {
			if rest[i] == '\\' && i+1 < len(rest) {
				i++
			}
			name.WriteByte(rest[i])
		}
		if i == len(rest) {
			return nil, false
		}
		var number int
		value, next, _ := strings.Cut(rest[i+1:], ",")
		if _, err := fmt.Sscanf(value, " = %d", &number); err != nil {
			return nil, false
		}
		names[number] = name.String()
		rest = strings.TrimSpace(next)
	}
	return names, len(names) > 0
}

// newNestedToJSONConverter writes arrays, maps and tuples as JSON, as the JSON writer would
// have.
func newNestedToJSONConverter(f arrow.Field) (columnConverter, error) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "", Type: f.Type, Nullable: true}}, nil)
	if _, err := jsonrows.NewRowWriter(schema, nil); err != nil {
		return columnConverter{}, errUnknownType
	}
	return newConverterToText(executor.TextKindJSON, func(a arrow.Array) func(int) (string, error) {
		var text []byte
		return func(row int) (string, error) {
			w, err := jsonrows.NewRowWriter(schema, nil)
			if err != nil {
				return "", err
			}
			cell := array.NewSlice(a, int64(row), int64(row)+1)
			defer cell.Release()
			batch := array.NewRecordBatch(schema, []arrow.Array{cell}, 1)
			defer batch.Release()
			text = w.AppendBatch(text[:0], batch)
			// {"":value}
			return string(text[len(`{"":`) : len(text)-1]), nil
		}
	}), nil
}
