package mysql

import (
	"database/sql/driver"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
)

var (
	errUnexpected = errors.New("the server sent a value of another type")
	errRange      = errors.New("the value exceeds the range of its Arrow type")
	errFormat     = errors.New("the value has an unexpected form")
)

// columnTypes is what the driver's rows know about their columns.
type columnTypes interface {
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypePrecisionScale
}

// decoder appends one value that is not null to the builder of its column and returns the
// number of its bytes.
type decoder func(v driver.Value) (bytes int, err error)

// columnType is how a type of the server travels.
type columnType struct {
	dt   arrow.DataType
	kind executor.Kind
	// decoder makes the decoder for the builder of dt.
	decoder func(b array.Builder) decoder
}

func (t columnType) field(name string) arrow.Field { return executor.Field(name, t.dt, t.kind) }

// typeFor chooses by the name that the driver gives the type.
func typeFor(types columnTypes, i int) columnType {
	switch name := types.ColumnTypeDatabaseTypeName(i); name {
	case "TINYINT":
		return integer[int8](arrow.PrimitiveTypes.Int8)
	case "SMALLINT":
		return integer[int16](arrow.PrimitiveTypes.Int16)
	case "MEDIUMINT", "INT":
		return integer[int32](arrow.PrimitiveTypes.Int32)
	case "BIGINT":
		return integer[int64](arrow.PrimitiveTypes.Int64)
	case "UNSIGNED TINYINT":
		return integer[uint8](arrow.PrimitiveTypes.Uint8)
	case "UNSIGNED SMALLINT", "YEAR":
		return integer[uint16](arrow.PrimitiveTypes.Uint16)
	case "UNSIGNED MEDIUMINT", "UNSIGNED INT":
		return integer[uint32](arrow.PrimitiveTypes.Uint32)
	case "UNSIGNED BIGINT":
		return integer[uint64](arrow.PrimitiveTypes.Uint64)
	case "BIT":
		return textColumnType(arrow.PrimitiveTypes.Uint64, readBits)
	case "FLOAT":
		return float[float32](arrow.PrimitiveTypes.Float32)
	case "DOUBLE":
		return float[float64](arrow.PrimitiveTypes.Float64)
	case "DECIMAL":
		precision, scale, ok := types.ColumnTypePrecisionScale(i)
		return decimalType(precision, scale, ok)
	case "DATE":
		return textColumnType(arrow.FixedWidthTypes.Date32, readDate)
	case "DATETIME":
		return textColumnType(&arrow.TimestampType{Unit: arrow.Microsecond}, readTimestamp)
	case "TIMESTAMP":
		return textColumnType(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readTimestamp)
	case "TIME":
		return text(executor.KindText, trimFraction)
	case "JSON":
		return text(executor.KindJSON, nil)
	case "BLOB", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "BINARY", "VARBINARY", "GEOMETRY", "VECTOR":
		return binaryType()
	case "NULL":
		return columnType{arrow.Null, executor.KindText, func(array.Builder) decoder {
			return func(driver.Value) (int, error) { return 0, errUnexpected }
		}}
	default:
		return text(executor.KindText, nil)
	}
}

// appender is a builder of fixed-width values.
type appender[T any] interface {
	Append(v T)
	AppendNull()
}

func integer[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](dt arrow.DataType) columnType {
	return columnType{dt, executor.KindText, func(b array.Builder) decoder {
		values := b.(appender[T])
		return func(v driver.Value) (int, error) {
			switch v := v.(type) {
			case int64:
				if int64(T(v)) != v || (v < 0) != (T(v) < 0) {
					return 0, errRange
				}
				values.Append(T(v))
			case uint64:
				if uint64(T(v)) != v || T(v) < 0 {
					return 0, errRange
				}
				values.Append(T(v))
			default:
				return 0, errUnexpected
			}
			return 8, nil
		}
	}}
}

func float[T float32 | float64](dt arrow.DataType) columnType {
	return columnType{dt, executor.KindText, func(b array.Builder) decoder {
		values := b.(appender[T])
		return func(v driver.Value) (int, error) {
			switch v := v.(type) {
			case float32:
				values.Append(T(v))
			case float64:
				values.Append(T(v))
			default:
				return 0, errUnexpected
			}
			return 8, nil
		}
	}}
}

// textColumnType decodes text of the protocol. Its read returns false for a value
// that Arrow has none for.
func textColumnType[T any](dt arrow.DataType, read func(raw []byte) (v T, ok bool, err error)) columnType {
	return columnType{dt, executor.KindText, func(b array.Builder) decoder {
		values := b.(appender[T])
		return func(v driver.Value) (int, error) {
			raw, ok := v.([]byte)
			if !ok {
				return 0, errUnexpected
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

// text copies the bytes, after edit if there is one.
func text(kind executor.Kind, edit func([]byte) []byte) columnType {
	return columnType{arrow.BinaryTypes.String, kind, func(b array.Builder) decoder {
		texts := b.(*array.StringBuilder)
		return func(v driver.Value) (int, error) {
			raw, ok := v.([]byte)
			if !ok {
				return 0, errUnexpected
			}
			if edit != nil {
				raw = edit(raw)
			}
			texts.BinaryBuilder.Append(raw)
			return len(raw), nil
		}
	}}
}

func binaryType() columnType {
	return columnType{arrow.BinaryTypes.Binary, executor.KindText, func(b array.Builder) decoder {
		blobs := b.(*array.BinaryBuilder)
		return func(v driver.Value) (int, error) {
			raw, ok := v.([]byte)
			if !ok {
				return 0, errUnexpected
			}
			blobs.Append(raw)
			return len(raw), nil
		}
	}}
}
