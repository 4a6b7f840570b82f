package coerce

import (
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor/jsonrows"
)

var (
	zonelessTimestampType = &arrow.TimestampType{Unit: arrow.Microsecond}
	utcTimestampType      = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
)

// columnConversion makes a column of another type. The caller releases what it
// returns.
type columnConversion func(arrow.Array) (arrow.Array, error)

// conversionForHint returns the type that a hint asks for and the way to it, or nil
// when the column has nothing to gain.
func conversionForHint(dt arrow.DataType, hint jsonrows.TypeHint) (arrow.DataType, columnConversion) {
	switch hint {
	case jsonrows.HintBoolean:
		if convert := toBooleanConversion(dt); convert != nil {
			return arrow.FixedWidthTypes.Boolean, convert
		}
	case jsonrows.HintDate:
		if convert := dateTextConversion(dt); convert != nil {
			return arrow.FixedWidthTypes.Date32, convert
		}
	case jsonrows.HintTimestamp:
		if ts, ok := dt.(*arrow.TimestampType); ok && ts.TimeZone != "" {
			clock := &arrow.TimestampType{Unit: ts.Unit}
			return clock, sameLayoutConversion(clock)
		}
		if convert := timestampTextConversion(dt, zonelessTimestampType); convert != nil {
			return zonelessTimestampType, convert
		}
	case jsonrows.HintUTCTimestamp:
		if ts, ok := dt.(*arrow.TimestampType); ok && ts.TimeZone == "" {
			zoned := &arrow.TimestampType{Unit: ts.Unit, TimeZone: "UTC"}
			return zoned, sameLayoutConversion(zoned)
		}
		if convert := timestampTextConversion(dt, utcTimestampType); convert != nil {
			return utcTimestampType, convert
		}
	}
	return nil, nil
}

// sameLayoutConversion gives the same memory another type of the same layout.
func sameLayoutConversion(dt arrow.DataType) columnConversion {
	return func(a arrow.Array) (arrow.Array, error) {
		data := array.NewData(dt, a.Len(), a.Data().Buffers(), nil, a.NullN(), a.Data().Offset())
		defer data.Release()
		return array.MakeFromData(data), nil
	}
}

// valueBuilder is one of Arrow's for values of one type.
type valueBuilder[T any] interface {
	array.Builder
	Append(v T)
}

// newValueByValueConversion converts a column cell by cell.
func newValueByValueConversion[T any](dt arrow.DataType, bind func(arrow.Array) func(row int) (T, error)) columnConversion {
	return func(a arrow.Array) (arrow.Array, error) {
		b := array.NewBuilder(memory.DefaultAllocator, dt).(valueBuilder[T])
		defer b.Release()
		b.Reserve(a.Len())
		value := bind(a)
		for row := range a.Len() {
			if a.IsNull(row) {
				b.AppendNull()
				continue
			}
			v, err := value(row)
			if err != nil {
				return nil, err
			}
			b.Append(v)
		}
		return b.NewArray(), nil
	}
}

// fixedWidthConversion converts cells of one width.
func fixedWidthConversion[From arrow.FixedWidthType, To any](dt arrow.DataType, convert func(From) To) columnConversion {
	return newValueByValueConversion(dt, func(a arrow.Array) func(int) (To, error) {
		cells := arrow.GetValues[From](a.Data(), 1)
		return func(row int) (To, error) { return convert(cells[row]), nil }
	})
}

// newTextConversion converts cells of text.
func newTextConversion[To any](dt arrow.DataType, convert func(string) (To, error)) columnConversion {
	return newValueByValueConversion(dt, func(a arrow.Array) func(int) (To, error) {
		cells := a.(array.StringLike)
		return func(row int) (To, error) { return convert(cells.Value(row)) }
	})
}

func toBooleanConversion(dt arrow.DataType) columnConversion {
	switch dt.ID() {
	case arrow.INT8:
		return nonzeroToBoolConversion[int8]()
	case arrow.INT16:
		return nonzeroToBoolConversion[int16]()
	case arrow.INT32:
		return nonzeroToBoolConversion[int32]()
	case arrow.INT64:
		return nonzeroToBoolConversion[int64]()
	case arrow.UINT8:
		return nonzeroToBoolConversion[uint8]()
	case arrow.UINT16:
		return nonzeroToBoolConversion[uint16]()
	case arrow.UINT32:
		return nonzeroToBoolConversion[uint32]()
	case arrow.UINT64:
		return nonzeroToBoolConversion[uint64]()
	case arrow.FLOAT32:
		return nonzeroToBoolConversion[float32]()
	case arrow.FLOAT64:
		return nonzeroToBoolConversion[float64]()
	case arrow.DECIMAL128:
		return nonzeroToBoolConversion[decimal.Decimal128]()
	case arrow.DECIMAL256:
		return nonzeroToBoolConversion[decimal.Decimal256]()
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return newTextConversion(arrow.FixedWidthTypes.Boolean, readBoolean)
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return newValueByValueConversion(arrow.FixedWidthTypes.Boolean, nonzeroByteReader)
	default:
		return nil
	}
}

func nonzeroToBoolConversion[T interface {
	arrow.FixedWidthType
	comparable
}]() columnConversion {
	var zero T
	return fixedWidthConversion(arrow.FixedWidthTypes.Boolean, func(v T) bool { return v != zero })
}

func nonzeroByteReader(a arrow.Array) func(row int) (bool, error) {
	cells := a.(interface{ Value(row int) []byte })
	return func(row int) (bool, error) {
		var bits byte
		for _, b := range cells.Value(row) {
			bits |= b
		}
		return bits != 0, nil
	}
}

func dateTextConversion(dt arrow.DataType) columnConversion {
	switch dt := dt.(type) {
	case *arrow.TimestampType:
		perDay := int64(24 * time.Hour / dt.Unit.Multiplier())
		return fixedWidthConversion(arrow.FixedWidthTypes.Date32, func(v arrow.Timestamp) arrow.Date32 {
			return arrow.Date32(floorDiv(int64(v), perDay))
		})
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return newTextConversion(arrow.FixedWidthTypes.Date32, readDate)
	}
	return nil
}

// timestampTextConversion converts to a timestamp in microseconds.
func timestampTextConversion(dt arrow.DataType, to *arrow.TimestampType) columnConversion {
	const perDay = 24 * 60 * 60 * 1_000_000
	switch dt.(type) {
	case *arrow.Date32Type:
		return fixedWidthConversion(to, func(v arrow.Date32) arrow.Timestamp { return arrow.Timestamp(int64(v) * perDay) })
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return newTextConversion(to, newTimestampParser(to.TimeZone != ""))
	}
	return nil
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
