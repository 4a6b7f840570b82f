package jsonrows

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

const millisPerDay = 24 * 60 * 60 * 1000

func unitsPerSecond(u arrow.TimeUnit) int64 {
	switch u {
	case arrow.Second:
		return 1
	case arrow.Millisecond:
		return 1_000
	case arrow.Microsecond:
		return 1_000_000
	default:
		return 1_000_000_000
	}
}

// newQuotingWriter encloses what write appends in quotation marks.
func newQuotingWriter[T any](write func(dst []byte, v T) []byte) func(dst []byte, v T) []byte {
	return func(dst []byte, v T) []byte { return append(write(append(dst, '"'), v), '"') }
}

func newTemporalEncoder(dt arrow.DataType) valueEncoder {
	switch dt := dt.(type) {
	case *arrow.Date32Type:
		return &fixedWidthEncoder[arrow.Date32]{write: newQuotingWriter(func(dst []byte, v arrow.Date32) []byte {
			return jsontext.AppendDate(dst, int64(v))
		})}
	case *arrow.Date64Type:
		return &fixedWidthEncoder[arrow.Date64]{write: newQuotingWriter(func(dst []byte, v arrow.Date64) []byte {
			return jsontext.AppendDate(dst, floorDiv(int64(v), millisPerDay))
		})}
	case *arrow.TimestampType:
		per, utc := unitsPerSecond(dt.Unit), dt.TimeZone != ""
		return &fixedWidthEncoder[arrow.Timestamp]{write: newQuotingWriter(func(dst []byte, v arrow.Timestamp) []byte {
			return jsontext.AppendTimestamp(dst, int64(v), per, utc)
		})}
	case *arrow.Time32Type:
		per := unitsPerSecond(dt.Unit)
		return &fixedWidthEncoder[arrow.Time32]{write: newQuotingWriter(func(dst []byte, v arrow.Time32) []byte {
			return jsontext.AppendTime(dst, int64(v), per)
		})}
	case *arrow.Time64Type:
		per := unitsPerSecond(dt.Unit)
		return &fixedWidthEncoder[arrow.Time64]{write: newQuotingWriter(func(dst []byte, v arrow.Time64) []byte {
			return jsontext.AppendTime(dst, int64(v), per)
		})}
	case *arrow.DurationType:
		per := unitsPerSecond(dt.Unit)
		return &fixedWidthEncoder[arrow.Duration]{write: newQuotingWriter(func(dst []byte, v arrow.Duration) []byte {
			return jsontext.AppendInterval(dst, 0, 0, int64(v), per)
		})}
	case *arrow.MonthIntervalType:
		return &fixedWidthEncoder[arrow.MonthInterval]{write: newQuotingWriter(func(dst []byte, v arrow.MonthInterval) []byte {
			return jsontext.AppendInterval(dst, int64(v), 0, 0, 1)
		})}
	case *arrow.DayTimeIntervalType:
		return &fixedWidthEncoder[arrow.DayTimeInterval]{write: newQuotingWriter(func(dst []byte, v arrow.DayTimeInterval) []byte {
			return jsontext.AppendInterval(dst, 0, int64(v.Days), int64(v.Milliseconds), 1_000)
		})}
	case *arrow.MonthDayNanoIntervalType:
		return &fixedWidthEncoder[arrow.MonthDayNanoInterval]{write: newQuotingWriter(func(dst []byte, v arrow.MonthDayNanoInterval) []byte {
			return jsontext.AppendInterval(dst, int64(v.Months), int64(v.Days), v.Nanoseconds, 1_000_000_000)
		})}
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
