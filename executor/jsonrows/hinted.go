package jsonrows

import (
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

const isoDate = len("2024-01-05")

// encoderForHint returns the encoder that a hint asks for, or nil when the hint has
// nothing to say about the type.
func encoderForHint(dt arrow.DataType, hint Hint) encoder {
	switch hint {
	case Boolean:
		return booleanFor(dt)
	case Date:
		switch dt := dt.(type) {
		case *arrow.TimestampType:
			perDay := unitsPerSecond(dt.Unit) * 24 * 60 * 60
			return &valueWriter[arrow.Timestamp]{write: quotedWriter(func(dst []byte, v arrow.Timestamp) []byte {
				return jsontext.AppendDate(dst, floorDiv(int64(v), perDay))
			})}
		case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
			return &texts{write: appendDate}
		}
	case Instant:
		switch dt := dt.(type) {
		case *arrow.TimestampType:
			per := unitsPerSecond(dt.Unit)
			return &valueWriter[arrow.Timestamp]{write: quotedWriter(func(dst []byte, v arrow.Timestamp) []byte {
				return jsontext.AppendTimestamp(dst, int64(v), per, true)
			})}
		case *arrow.Date32Type:
			return &valueWriter[arrow.Date32]{write: quotedWriter(func(dst []byte, v arrow.Date32) []byte {
				return append(jsontext.AppendDate(dst, int64(v)), "T00:00:00Z"...)
			})}
		case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
			return &texts{write: instantText}
		}
	case Timestamp:
		switch dt := dt.(type) {
		case *arrow.TimestampType:
			per := unitsPerSecond(dt.Unit)
			return &valueWriter[arrow.Timestamp]{write: quotedWriter(func(dst []byte, v arrow.Timestamp) []byte {
				return jsontext.AppendTimestamp(dst, int64(v), per, false)
			})}
		case *arrow.Date32Type:
			return &valueWriter[arrow.Date32]{write: quotedWriter(func(dst []byte, v arrow.Date32) []byte {
				return append(jsontext.AppendDate(dst, int64(v)), "T00:00:00"...)
			})}
		case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
			return &texts{write: timestampText}
		}
	}
	return nil
}

func booleanFor(dt arrow.DataType) encoder {
	switch dt.ID() {
	case arrow.INT8:
		return &valueWriter[int8]{write: appendNonzero[int8]}
	case arrow.INT16:
		return &valueWriter[int16]{write: appendNonzero[int16]}
	case arrow.INT32:
		return &valueWriter[int32]{write: appendNonzero[int32]}
	case arrow.INT64:
		return &valueWriter[int64]{write: appendNonzero[int64]}
	case arrow.UINT8:
		return &valueWriter[uint8]{write: appendNonzero[uint8]}
	case arrow.UINT16:
		return &valueWriter[uint16]{write: appendNonzero[uint16]}
	case arrow.UINT32:
		return &valueWriter[uint32]{write: appendNonzero[uint32]}
	case arrow.UINT64:
		return &valueWriter[uint64]{write: appendNonzero[uint64]}
	case arrow.FLOAT32:
		return &valueWriter[float32]{write: appendNonzero[float32]}
	case arrow.FLOAT64:
		return &valueWriter[float64]{write: appendNonzero[float64]}
	case arrow.DECIMAL128:
		return &valueWriter[decimal.Decimal128]{write: appendNonzero[decimal.Decimal128]}
	case arrow.DECIMAL256:
		return &valueWriter[decimal.Decimal256]{write: appendNonzero[decimal.Decimal256]}
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return &texts{write: booleanText}
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return &binaryEncoder{write: appendHasBits}
	default:
		return nil
	}
}

func appendNonzero[T comparable](dst []byte, v T) []byte {
	var zero T
	return jsontext.AppendBool(dst, v != zero)
}

func appendHasBits(dst, b []byte) []byte {
	var bits byte
	for _, c := range b {
		bits |= c
	}
	return jsontext.AppendBool(dst, bits != 0)
}

func booleanText(dst []byte, s string) []byte {
	switch s {
	case "0", "f", "false", "F", "FALSE", "False":
		return jsontext.AppendBool(dst, false)
	case "1", "t", "true", "T", "TRUE", "True":
		return jsontext.AppendBool(dst, true)
	default:
		return jsontext.AppendString(dst, s)
	}
}

func appendDate(dst []byte, s string) []byte {
	if startsWithDate(s) && (len(s) == isoDate || s[isoDate] == ' ' || s[isoDate] == 'T') {
		s = s[:isoDate]
	}
	return jsontext.AppendString(dst, s)
}

// timestampText writes 2024-01-05 10:00:00.500 as 2024-01-05T10:00:00.5. What
// follows the seconds, a zone for instance, stays as it is.
func timestampText(dst []byte, s string) []byte {
	const seconds = len("2024-01-05 10:00:00")
	if !startsWithDate(s) {
		return jsontext.AppendString(dst, s)
	}
	if len(s) == isoDate {
		dst = append(append(dst, '"'), s...)
		return append(dst, `T00:00:00"`...)
	}
	if len(s) < seconds || (s[isoDate] != ' ' && s[isoDate] != 'T') {
		return jsontext.AppendString(dst, s)
	}
	whole, rest := s[isoDate+1:seconds], s[seconds:]
	if strings.HasPrefix(rest, ".") && strings.Trim(rest[1:], "0123456789") == "" {
		rest = strings.TrimRight(strings.TrimRight(rest, "0"), ".")
	}
	if strings.ContainsFunc(whole+rest, unsafeInJSON) {
		return jsontext.AppendString(dst, s)
	}
	dst = append(append(dst, '"'), s[:isoDate]...)
	dst = append(append(dst, 'T'), whole...)
	return append(append(dst, rest...), '"')
}

func unsafeInJSON(r rune) bool { return r < 0x20 || r == '"' || r == '\\' || r >= 0x7f }

func startsWithDate(s string) bool {
	if len(s) < isoDate {
		return false
	}
	for i := range isoDate {
		if i == 4 || i == 7 {
			if s[i] != '-' {
				return false
			}
		} else if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// instantText writes 2024-01-05 10:00:00+02:00 as 2024-01-05T08:00:00Z. A text
// without a distance from UTC is in UTC.
func instantText(dst []byte, s string) []byte {
	v, _, err := arrow.TimestampFromStringInLocation(s, arrow.Microsecond, time.UTC)
	if err != nil {
		return jsontext.AppendString(dst, s)
	}
	return append(jsontext.AppendTimestamp(append(dst, '"'), int64(v), 1_000_000, true), '"')
}
