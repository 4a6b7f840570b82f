package coerce

import (
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"

	"github.com/semlayer/semlayer/executor/internal/columnconversion"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

var (
	zonelessTimestampType = &arrow.TimestampType{Unit: arrow.Microsecond}
	utcTimestampType      = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
)

// conversionForHint returns the type that a hint requests and the way to it, or nil
// when the column has nothing to gain.
func conversionForHint(dt arrow.DataType, hint jsonrows.TypeHint) (arrow.DataType, columnconversion.Func) {
	switch hint {
	case jsonrows.HintBoolean:
		if convert := conversionToBoolean(dt); convert != nil {
			return arrow.FixedWidthTypes.Boolean, convert
		}
	case jsonrows.HintDate:
		if convert := conversionToDate(dt); convert != nil {
			return arrow.FixedWidthTypes.Date32, convert
		}
	case jsonrows.HintTimestamp:
		if ts, ok := dt.(*arrow.TimestampType); ok && ts.TimeZone != "" {
			clock := &arrow.TimestampType{Unit: ts.Unit}
			return clock, columnconversion.NewSameLayoutConversion(clock)
		}
		if convert := conversionToTimestamp(dt, zonelessTimestampType); convert != nil {
			return zonelessTimestampType, convert
		}
	case jsonrows.HintUTCTimestamp:
		if ts, ok := dt.(*arrow.TimestampType); ok && ts.TimeZone == "" {
			zoned := &arrow.TimestampType{Unit: ts.Unit, TimeZone: "UTC"}
			return zoned, columnconversion.NewSameLayoutConversion(zoned)
		}
		if convert := conversionToTimestamp(dt, utcTimestampType); convert != nil {
			return utcTimestampType, convert
		}
	}
	return nil, nil
}

// newConversionFromText converts cells of text.
func newConversionFromText[To any](dt arrow.DataType, convert func(string) (To, error)) columnconversion.Func {
	return columnconversion.NewValueByValueConversion(dt, func(a arrow.Array) func(int) (To, error) {
		cells := a.(array.StringLike)
		return func(row int) (To, error) { return convert(cells.Value(row)) }
	})
}

func conversionToBoolean(dt arrow.DataType) columnconversion.Func {
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
		return newConversionFromText(arrow.FixedWidthTypes.Boolean, readBoolean)
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return columnconversion.NewValueByValueConversion(arrow.FixedWidthTypes.Boolean, nonzeroBytesToBoolReader)
	default:
		return nil
	}
}

func nonzeroToBoolConversion[T interface {
	arrow.FixedWidthType
	comparable
}]() columnconversion.Func {
	var zero T
	return columnconversion.NewFixedWidthConversion(arrow.FixedWidthTypes.Boolean, func(v T) bool { return v != zero })
}

func nonzeroBytesToBoolReader(a arrow.Array) func(row int) (bool, error) {
	cells := a.(interface{ Value(row int) []byte })
	return func(row int) (bool, error) {
		var bits byte
		for _, b := range cells.Value(row) {
			bits |= b
		}
		return bits != 0, nil
	}
}

func conversionToDate(dt arrow.DataType) columnconversion.Func {
	switch dt := dt.(type) {
	case *arrow.TimestampType:
		perDay := int64(24 * time.Hour / dt.Unit.Multiplier())
		return columnconversion.NewFixedWidthConversion(arrow.FixedWidthTypes.Date32, func(v arrow.Timestamp) arrow.Date32 {
			return arrow.Date32(floorDiv(int64(v), perDay))
		})
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return newConversionFromText(arrow.FixedWidthTypes.Date32, readDate)
	}
	return nil
}

// conversionToTimestamp converts to a timestamp in microseconds.
func conversionToTimestamp(dt arrow.DataType, to *arrow.TimestampType) columnconversion.Func {
	const perDay = 24 * 60 * 60 * 1_000_000
	switch dt.(type) {
	case *arrow.Date32Type:
		return columnconversion.NewFixedWidthConversion(to, func(v arrow.Date32) arrow.Timestamp { return arrow.Timestamp(int64(v) * perDay) })
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return newConversionFromText(to, newTimestampParser(to.TimeZone != ""))
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
