package postgres

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/semlayer/semlayer/executor"
)

var (
	errUnexpectedLength = errors.New("the value has an unexpected length")
	errOutOfRange       = errors.New("the value exceeds the range of its Arrow type")
	errInvalidUTF8      = errors.New("its text is not valid UTF-8")
)

// PostgreSQL counts from 2000-01-01.
const (
	daysFrom1970To2000   = 10957
	microsFrom1970To2000 = daysFrom1970To2000 * 24 * 60 * 60 * 1_000_000
)

// fixedWidthBuilder is a builder of fixed-width values.
type fixedWidthBuilder[T any] interface {
	Append(v T)
	AppendNull()
}

// newFixedWidthDecoding decodes values of one width. Its read returns false for a value that
// Arrow has none for.
func newFixedWidthDecoding[T any](dt arrow.DataType, width int, read func(raw []byte) (v T, ok bool, err error)) columnDecoding {
	return columnDecoding{dt, executor.TextKindPlain, wireFormatBinary, func(b array.Builder) valueDecoder {
		values := b.(fixedWidthBuilder[T])
		return func(raw []byte) error {
			if len(raw) != width {
				return errUnexpectedLength
			}
			v, ok, err := read(raw)
			if err != nil {
				return err
			}
			if ok {
				values.Append(v)
			} else {
				values.AppendNull()
			}
			return nil
		}
	}}
}

// newFixedWidthDecodingOfEveryValue is fixed for values that always exist.
func newFixedWidthDecodingOfEveryValue[T any](dt arrow.DataType, width int, read func(raw []byte) T) columnDecoding {
	return newFixedWidthDecoding(dt, width, func(raw []byte) (T, bool, error) { return read(raw), true, nil })
}

func bigEndianInt16(raw []byte) int16 { return int16(binary.BigEndian.Uint16(raw)) }

func bigEndianInt32(raw []byte) int32 { return int32(binary.BigEndian.Uint32(raw)) }

func bigEndianInt64(raw []byte) int64 { return int64(binary.BigEndian.Uint64(raw)) }

func bigEndianFloat32(raw []byte) float32 { return math.Float32frombits(binary.BigEndian.Uint32(raw)) }

func bigEndianFloat64(raw []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(raw)) }

func fixedWidthDecodingForType(oid uint32) (columnDecoding, bool) {
	switch oid {
	case pgtype.BoolOID:
		return newFixedWidthDecodingOfEveryValue(arrow.FixedWidthTypes.Boolean, 1, func(raw []byte) bool { return raw[0] != 0 }), true
	case pgtype.Int2OID:
		return newFixedWidthDecodingOfEveryValue(arrow.PrimitiveTypes.Int16, 2, bigEndianInt16), true
	case pgtype.Int4OID:
		return newFixedWidthDecodingOfEveryValue(arrow.PrimitiveTypes.Int32, 4, bigEndianInt32), true
	case pgtype.Int8OID:
		return newFixedWidthDecodingOfEveryValue(arrow.PrimitiveTypes.Int64, 8, bigEndianInt64), true
	case pgtype.OIDOID:
		return newFixedWidthDecodingOfEveryValue(arrow.PrimitiveTypes.Uint32, 4, binary.BigEndian.Uint32), true
	case pgtype.Float4OID:
		return newFixedWidthDecodingOfEveryValue(arrow.PrimitiveTypes.Float32, 4, bigEndianFloat32), true
	case pgtype.Float8OID:
		return newFixedWidthDecodingOfEveryValue(arrow.PrimitiveTypes.Float64, 8, bigEndianFloat64), true
	case pgtype.DateOID:
		return newFixedWidthDecoding(arrow.FixedWidthTypes.Date32, 4, decodeDate), true
	case pgtype.TimeOID:
		return newFixedWidthDecodingOfEveryValue(arrow.FixedWidthTypes.Time64us, 8, func(raw []byte) arrow.Time64 { return arrow.Time64(bigEndianInt64(raw)) }), true
	case pgtype.TimestampOID:
		return newFixedWidthDecoding(&arrow.TimestampType{Unit: arrow.Microsecond}, 8, decodeTimestamp), true
	case pgtype.TimestamptzOID:
		return newFixedWidthDecoding(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, 8, decodeTimestamp), true
	case pgtype.IntervalOID:
		return newFixedWidthDecoding(arrow.FixedWidthTypes.MonthDayNanoInterval, 16, decodeInterval), true
	case pgtype.ByteaOID:
		return columnDecoding{arrow.BinaryTypes.Binary, executor.TextKindPlain, wireFormatBinary, func(b array.Builder) valueDecoder {
			blobs := b.(*array.BinaryBuilder)
			return func(raw []byte) error {
				blobs.Append(raw)
				return nil
			}
		}}, true
	}
	return columnDecoding{}, false
}

func decodeDate(raw []byte) (arrow.Date32, bool, error) {
	days := bigEndianInt32(raw)
	if days == math.MaxInt32 || days == math.MinInt32 {
		return 0, false, nil
	}
	return arrow.Date32(days + daysFrom1970To2000), true, nil
}

func decodeTimestamp(raw []byte) (arrow.Timestamp, bool, error) {
	micros := bigEndianInt64(raw)
	if micros == math.MaxInt64 || micros == math.MinInt64 {
		return 0, false, nil
	}
	if micros > math.MaxInt64-microsFrom1970To2000 {
		return 0, false, errOutOfRange
	}
	return arrow.Timestamp(micros + microsFrom1970To2000), true, nil
}

// decodeIntervalParts is microseconds, days and months, in that order.
func decodeIntervalParts(raw []byte) (months, days int32, micros int64, finite bool) {
	micros, days, months = bigEndianInt64(raw), bigEndianInt32(raw[8:]), bigEndianInt32(raw[12:])
	infinite := micros == math.MaxInt64 && days == math.MaxInt32 && months == math.MaxInt32 ||
		micros == math.MinInt64 && days == math.MinInt32 && months == math.MinInt32
	return months, days, micros, !infinite
}

func decodeInterval(raw []byte) (v arrow.MonthDayNanoInterval, ok bool, err error) {
	months, days, micros, finite := decodeIntervalParts(raw)
	if !finite {
		return v, false, nil
	}
	nanos := micros * 1000
	if nanos/1000 != micros {
		return v, false, errOutOfRange
	}
	return arrow.MonthDayNanoInterval{Months: months, Days: days, Nanoseconds: nanos}, true, nil
}
