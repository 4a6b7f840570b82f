package mysql

import (
	sqldriver "database/sql/driver"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
)

var (
	errUnexpectedType   = errors.New("the server sent a value of another type")
	errOutOfRange       = errors.New("the value exceeds the range of its Arrow type")
	errUnexpectedFormat = errors.New("the value has an unexpected form")
)

// driverColumnTypes is what the driver's rows know about their columns.
type driverColumnTypes interface {
	sqldriver.RowsColumnTypeDatabaseTypeName
	sqldriver.RowsColumnTypePrecisionScale
}

// valueDecoder appends one value that is not null to the builder of its column and returns the
// number of its bytes.
type valueDecoder func(v sqldriver.Value) (bytes int, err error)

// columnDecoding is how a type of the server travels.
type columnDecoding struct {
	dt   arrow.DataType
	kind executor.TextKind
	// decoder makes the decoder for the builder of dt.
	decoder func(b array.Builder) valueDecoder
}

func (t columnDecoding) arrowField(name string) arrow.Field {
	return executor.NewField(name, t.dt, t.kind)
}

// decodingForType chooses by the name that the driver gives the type.
func decodingForType(types driverColumnTypes, i int) columnDecoding {
	switch name := types.ColumnTypeDatabaseTypeName(i); name {
	case "TINYINT":
		return newIntegerDecoding[int8](arrow.PrimitiveTypes.Int8)
	case "SMALLINT":
		return newIntegerDecoding[int16](arrow.PrimitiveTypes.Int16)
	case "MEDIUMINT", "INT":
		return newIntegerDecoding[int32](arrow.PrimitiveTypes.Int32)
	case "BIGINT":
		return newIntegerDecoding[int64](arrow.PrimitiveTypes.Int64)
	case "UNSIGNED TINYINT":
		return newIntegerDecoding[uint8](arrow.PrimitiveTypes.Uint8)
	case "UNSIGNED SMALLINT", "YEAR":
		return newIntegerDecoding[uint16](arrow.PrimitiveTypes.Uint16)
	case "UNSIGNED MEDIUMINT", "UNSIGNED INT":
		return newIntegerDecoding[uint32](arrow.PrimitiveTypes.Uint32)
	case "UNSIGNED BIGINT":
		return newIntegerDecoding[uint64](arrow.PrimitiveTypes.Uint64)
	case "BIT":
		return newParsedTextDecoding(arrow.PrimitiveTypes.Uint64, readBits)
	case "FLOAT":
		return newFloatDecoding[float32](arrow.PrimitiveTypes.Float32)
	case "DOUBLE":
		return newFloatDecoding[float64](arrow.PrimitiveTypes.Float64)
	case "DECIMAL":
		precision, scale, ok := types.ColumnTypePrecisionScale(i)
		return newDecimalDecoding(precision, scale, ok)
	case "DATE":
		return newParsedTextDecoding(arrow.FixedWidthTypes.Date32, readDate)
	case "DATETIME":
		return newParsedTextDecoding(&arrow.TimestampType{Unit: arrow.Microsecond}, readTimestamp)
	case "TIMESTAMP":
		return newParsedTextDecoding(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readTimestamp)
	case "TIME":
		return newTextDecoding(executor.TextKindPlain, trimFractionZeros)
	case "ENUM", "SET":
		return newTextDecoding(executor.TextKindEnum, nil)
	case "JSON":
		return newTextDecoding(executor.TextKindJSON, nil)
	case "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY", "GEOMETRY", "VECTOR":
		return newByteArrayDecoding()
	case "NULL":
		return columnDecoding{arrow.Null, executor.TextKindPlain, func(array.Builder) valueDecoder {
			return func(sqldriver.Value) (int, error) { return 0, errUnexpectedType }
		}}
	default:
		return newTextDecoding(executor.TextKindPlain, nil)
	}
}

// nullableBuilder is a builder of fixed-width values.
type nullableBuilder[T any] interface {
	Append(v T)
	AppendNull()
}

func newIntegerDecoding[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](dt arrow.DataType) columnDecoding {
	return columnDecoding{dt, executor.TextKindPlain, func(b array.Builder) valueDecoder {
		values := b.(nullableBuilder[T])
		return func(v sqldriver.Value) (int, error) {
			switch v := v.(type) {
			case int64:
				if int64(T(v)) != v || (v < 0) != (T(v) < 0) {
					return 0, errOutOfRange
				}
				values.Append(T(v))
			case uint64:
				if uint64(T(v)) != v || T(v) < 0 {
					return 0, errOutOfRange
				}
				values.Append(T(v))
			default:
				return 0, errUnexpectedType
			}
			return 8, nil
		}
	}}
}

func newFloatDecoding[T float32 | float64](dt arrow.DataType) columnDecoding {
	return columnDecoding{dt, executor.TextKindPlain, func(b array.Builder) valueDecoder {
		values := b.(nullableBuilder[T])
		return func(v sqldriver.Value) (int, error) {
			switch v := v.(type) {
			case float32:
				values.Append(T(v))
			case float64:
				values.Append(T(v))
			default:
				return 0, errUnexpectedType
			}
			return 8, nil
		}
	}}
}

// newParsedTextDecoding decodes text of the protocol. Its read returns false for a value
// that Arrow has none for.
func newParsedTextDecoding[T any](dt arrow.DataType, read func(raw []byte) (v T, ok bool, err error)) columnDecoding {
	return columnDecoding{dt, executor.TextKindPlain, func(b array.Builder) valueDecoder {
		values := b.(nullableBuilder[T])
		return func(v sqldriver.Value) (int, error) {
			raw, ok := v.([]byte)
			if !ok {
				return 0, errUnexpectedType
			}
			parsed, ok, err := read(raw)
			if err != nil {
				return 0, err
			}
			if ok {
				values.Append(parsed)
			} else {
				values.AppendNull()
			}
			return len(raw), nil
		}
	}}
}

// newTextDecoding copies the bytes, after edit if there is one.
func newTextDecoding(kind executor.TextKind, edit func([]byte) []byte) columnDecoding {
	return columnDecoding{arrow.BinaryTypes.String, kind, func(b array.Builder) valueDecoder {
		texts := b.(*array.StringBuilder)
		return func(v sqldriver.Value) (int, error) {
			raw, ok := v.([]byte)
			if !ok {
				return 0, errUnexpectedType
			}
			if edit != nil {
				raw = edit(raw)
			}
			texts.BinaryBuilder.Append(raw)
			return len(raw), nil
		}
	}}
}

func newByteArrayDecoding() columnDecoding {
	return columnDecoding{arrow.BinaryTypes.Binary, executor.TextKindPlain, func(b array.Builder) valueDecoder {
		blobs := b.(*array.BinaryBuilder)
		return func(v sqldriver.Value) (int, error) {
			raw, ok := v.([]byte)
			if !ok {
				return 0, errUnexpectedType
			}
			blobs.Append(raw)
			return len(raw), nil
		}
	}}
}
