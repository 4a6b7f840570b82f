package duckdb

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	bindings "github.com/duckdb/duckdb-go-bindings"
)

// fixedWidthColumnBuilder holds cells of one width. Its cells are DuckDB's own bytes, or
// what convert made of them.
type fixedWidthColumnBuilder struct {
	validityBuilder
	dt    arrow.DataType
	width int
	data  []byte
	// convert appends n converted cells and may make some of them null; nil
	// copies the memory as it is.
	convert func(c *fixedWidthColumnBuilder, vec duckdbVector, n int) error
}

func (c *fixedWidthColumnBuilder) appendVector(vec duckdbVector, n, expect int) error {
	start := len(c.data)
	if c.data == nil {
		c.data = make([]byte, 0, max(n, expect)*c.width)
	}
	first := c.rows
	hasNulls := c.validityBuilder.appendMask(vec.mask, n)
	if c.convert == nil {
		c.data = append(c.data, unsafe.Slice((*byte)(vec.data), n*c.width)...)
	} else if err := c.convert(c, vec, n); err != nil {
		return err
	}
	if hasNulls {
		c.zeroNullCells(start, first, n)
	}
	return nil
}

// zeroNullCells zeroes the cells of null rows: the library leaves other values in them, which must not
// reach a client.
func (c *fixedWidthColumnBuilder) zeroNullCells(start, first, n int) {
	for row := range n {
		if c.isNull(first + row) {
			clear(c.data[start+row*c.width : start+(row+1)*c.width])
		}
	}
}

func (c *fixedWidthColumnBuilder) sizeInBytes() int { return len(c.data) }

func (c *fixedWidthColumnBuilder) buildArray() arrow.Array {
	values := memory.NewBufferBytes(c.data)
	c.data = nil
	bitmap, rows, nulls := c.validityBuilder.buildBitmap()
	return newArrowArrayFromBuffers(c.dt, rows, nulls, bitmap, values)
}

func newArrowArrayFromBuffers(dt arrow.DataType, rows, nulls int, buffers ...*memory.Buffer) arrow.Array {
	data := array.NewData(dt, rows, buffers, nil, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// newFixedWidthBuilderForType returns the column of a type whose cells have one width, or nil.
func newFixedWidthBuilderForType(id bindings.Type, logical bindings.LogicalType) (columnBuilder, arrow.DataType) {
	fixed := func(dt arrow.FixedWidthDataType, convert func(*fixedWidthColumnBuilder, duckdbVector, int) error) (columnBuilder, arrow.DataType) {
		return &fixedWidthColumnBuilder{dt: dt, width: dt.Bytes(), convert: convert}, dt
	}
	switch id {
	case bindings.TypeBoolean:
		return &boolColumnBuilder{}, arrow.FixedWidthTypes.Boolean
	case bindings.TypeTinyInt:
		return fixed(&arrow.Int8Type{}, nil)
	case bindings.TypeSmallInt:
		return fixed(&arrow.Int16Type{}, nil)
	case bindings.TypeInteger:
		return fixed(&arrow.Int32Type{}, nil)
	case bindings.TypeBigInt:
		return fixed(&arrow.Int64Type{}, nil)
	case bindings.TypeUTinyInt:
		return fixed(&arrow.Uint8Type{}, nil)
	case bindings.TypeUSmallInt:
		return fixed(&arrow.Uint16Type{}, nil)
	case bindings.TypeUInteger:
		return fixed(&arrow.Uint32Type{}, nil)
	case bindings.TypeUBigInt:
		return fixed(&arrow.Uint64Type{}, nil)
	case bindings.TypeFloat:
		return fixed(&arrow.Float32Type{}, nil)
	case bindings.TypeDouble:
		return fixed(&arrow.Float64Type{}, nil)
	case bindings.TypeHugeInt:
		return fixed(&arrow.Decimal128Type{Precision: 38}, nil)
	case bindings.TypeUHugeInt:
		return fixed(&arrow.Decimal256Type{Precision: 39}, appendWidenedUHugeInts)
	case bindings.TypeDecimal:
		dt := &arrow.Decimal128Type{Precision: int32(bindings.DecimalWidth(logical)), Scale: int32(bindings.DecimalScale(logical))}
		return fixed(dt, decimalWidenerForType(bindings.DecimalInternalType(logical)))
	case bindings.TypeDate:
		return fixed(&arrow.Date32Type{}, copyDatesWithInfiniteAsNull)
	case bindings.TypeTime:
		return fixed(&arrow.Time64Type{Unit: arrow.Microsecond}, nil)
	case bindings.TypeTimeNS:
		return fixed(&arrow.Time64Type{Unit: arrow.Nanosecond}, nil)
	case bindings.TypeTimestampS:
		return fixed(&arrow.TimestampType{Unit: arrow.Second}, copyTimestampsWithInfiniteAsNull)
	case bindings.TypeTimestampMS:
		return fixed(&arrow.TimestampType{Unit: arrow.Millisecond}, copyTimestampsWithInfiniteAsNull)
	case bindings.TypeTimestamp:
		return fixed(&arrow.TimestampType{Unit: arrow.Microsecond}, copyTimestampsWithInfiniteAsNull)
	case bindings.TypeTimestampNS:
		return fixed(&arrow.TimestampType{Unit: arrow.Nanosecond}, copyTimestampsWithInfiniteAsNull)
	case bindings.TypeTimestampTZ:
		return fixed(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, copyTimestampsWithInfiniteAsNull)
	case bindings.TypeInterval:
		return fixed(&arrow.MonthDayNanoIntervalType{}, copyIntervals)
	}
	return nil, nil
}

func vectorValues[T any](vec duckdbVector, n int) []T { return unsafe.Slice((*T)(vec.data), n) }

func decimalWidenerForType(internal bindings.Type) func(*fixedWidthColumnBuilder, duckdbVector, int) error {
	switch internal {
	case bindings.TypeSmallInt:
		return appendWidenedDecimals[int16]
	case bindings.TypeInteger:
		return appendWidenedDecimals[int32]
	case bindings.TypeBigInt:
		return appendWidenedDecimals[int64]
	default:
		return nil
	}
}

func appendWidenedDecimals[T int16 | int32 | int64](c *fixedWidthColumnBuilder, vec duckdbVector, n int) error {
	for _, v := range vectorValues[T](vec, n) {
		c.data = binary.LittleEndian.AppendUint64(c.data, uint64(v))
		c.data = binary.LittleEndian.AppendUint64(c.data, uint64(int64(v)>>63))
	}
	return nil
}

func appendWidenedUHugeInts(c *fixedWidthColumnBuilder, vec duckdbVector, n int) error {
	for _, v := range vectorValues[[16]byte](vec, n) {
		c.data = append(c.data, v[:]...)
		c.data = append(c.data, make([]byte, 16)...)
	}
	return nil
}

func isInfiniteDate(days int32) bool { return days == math.MaxInt32 || days == -math.MaxInt32 }

func isInfiniteTimestamp(v int64) bool { return v == math.MaxInt64 || v == -math.MaxInt64 }

func copyDatesWithInfiniteAsNull(c *fixedWidthColumnBuilder, vec duckdbVector, n int) error {
	return copyValuesWithDroppedAsNull(c, vectorValues[int32](vec, n), isInfiniteDate)
}

func copyTimestampsWithInfiniteAsNull(c *fixedWidthColumnBuilder, vec duckdbVector, n int) error {
	return copyValuesWithDroppedAsNull(c, vectorValues[int64](vec, n), isInfiniteTimestamp)
}

// copyValuesWithDroppedAsNull copies the cells and makes those null that Arrow has no value for.
func copyValuesWithDroppedAsNull[T int32 | int64](c *fixedWidthColumnBuilder, values []T, drop func(T) bool) error {
	first, start := c.rows-len(values), len(c.data)
	c.data = append(c.data, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*c.width)...)
	for row, v := range values {
		if drop(v) {
			c.markNull(first + row)
			clear(c.data[start+row*c.width : start+(row+1)*c.width])
		}
	}
	return nil
}

type duckdbInterval struct {
	months, days int32
	micros       int64
}

var errIntervalTooLong = errors.New("an interval exceeds 292 years of nanoseconds")

func copyIntervals(c *fixedWidthColumnBuilder, vec duckdbVector, n int) error {
	first := c.rows - n
	for row, v := range vectorValues[duckdbInterval](vec, n) {
		if c.isNull(first + row) {
			v = duckdbInterval{}
		}
		nanos := v.micros * 1000
		if nanos/1000 != v.micros {
			return errIntervalTooLong
		}
		c.data = binary.LittleEndian.AppendUint32(c.data, uint32(v.months))
		c.data = binary.LittleEndian.AppendUint32(c.data, uint32(v.days))
		c.data = binary.LittleEndian.AppendUint64(c.data, uint64(nanos))
	}
	return nil
}
