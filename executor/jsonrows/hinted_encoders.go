package jsonrows

import (
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

const isoDateLength = len("2024-01-05")

// encoderForHint returns the encoder that a hint requests, or nil when the hint has
// nothing to say about the type.
func encoderForHint(dt arrow.DataType, hint TypeHint) valueEncoder {
	switch hint {
	case HintBoolean:
		return newNumberAsBooleanEncoder(dt)
	case HintDate:
		switch dt := dt.(type) {
		case *arrow.TimestampType:
			perDay := unitsPerSecond(dt.Unit) * 24 * 60 * 60
			return &fixedWidthEncoder[arrow.Timestamp]{write: newQuotingWriter(func(dst []byte, v arrow.Timestamp) []byte {
				return jsontext.AppendDate(dst, floorDiv(int64(v), perDay))
			})}
		case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
			return &textEncoder{write: appendTextAsDate}
		}
	case HintUTCTimestamp:
		switch dt := dt.(type) {
		case *arrow.TimestampType:
			per := unitsPerSecond(dt.Unit)
			return &fixedWidthEncoder[arrow.Timestamp]{write: newQuotingWriter(func(dst []byte, v arrow.Timestamp) []byte {
				return jsontext.AppendTimestamp(dst, int64(v), per, true)
			})}
		case *arrow.Date32Type:
			return &fixedWidthEncoder[arrow.Date32]{write: newQuotingWriter(func(dst []byte, v arrow.Date32) []byte {
				return append(jsontext.AppendDate(dst, int64(v)), "T00:00:00Z"...)
			})}
		case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
			return &textEncoder{write: appendTextAsUTCTimestamp}
		}
	case HintTimestamp:
		switch dt := dt.(type) {
		case *arrow.TimestampType:
			per := unitsPerSecond(dt.Unit)
			return &fixedWidthEncoder[arrow.Timestamp]{write: newQuotingWriter(func(dst []byte, v arrow.Timestamp) []byte {
				return jsontext.AppendTimestamp(dst, int64(v), per, false)
			})}
		case *arrow.Date32Type:
			return &fixedWidthEncoder[arrow.Date32]{write: newQuotingWriter(func(dst []byte, v arrow.Date32) []byte {
				return append(jsontext.AppendDate(dst, int64(v)), "T00:00:00"...)
			})}
		case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
			return &textEncoder{write: appendTextAsTimestamp}
		}
	}
	return nil
}

func newNumberAsBooleanEncoder(dt arrow.DataType) valueEncoder {
	switch dt.ID() {
	case arrow.INT8:
		return &fixedWidthEncoder[int8]{write: appendNonzeroAsBool[int8]}
	case arrow.INT16:
		return &fixedWidthEncoder[int16]{write: appendNonzeroAsBool[int16]}
	case arrow.INT32:
		return &fixedWidthEncoder[int32]{write: appendNonzeroAsBool[int32]}
	case arrow.INT64:
		return &fixedWidthEncoder[int64]{write: appendNonzeroAsBool[int64]}
	case arrow.UINT8:
		return &fixedWidthEncoder[uint8]{write: appendNonzeroAsBool[uint8]}
	case arrow.UINT16:
		return &fixedWidthEncoder[uint16]{write: appendNonzeroAsBool[uint16]}
	case arrow.UINT32:
		return &fixedWidthEncoder[uint32]{write: appendNonzeroAsBool[uint32]}
	case arrow.UINT64:
		return &fixedWidthEncoder[uint64]{write: appendNonzeroAsBool[uint64]}
	case arrow.FLOAT32:
		return &fixedWidthEncoder[float32]{write: appendNonzeroAsBool[float32]}
	case arrow.FLOAT64:
		return &fixedWidthEncoder[float64]{write: appendNonzeroAsBool[float64]}
	case arrow.DECIMAL128:
		return &fixedWidthEncoder[decimal.Decimal128]{write: appendNonzeroAsBool[decimal.Decimal128]}
	case arrow.DECIMAL256:
		return &fixedWidthEncoder[decimal.Decimal256]{write: appendNonzeroAsBool[decimal.Decimal256]}
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return &textEncoder{write: appendTextAsBool}
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return &binaryEncoder{write: appendNonzeroBytesAsBool}
	default:
		return nil
	}
}

func appendNonzeroAsBool[T comparable](dst []byte, v T) []byte {
	var zero T
	return jsontext.AppendBool(dst, v != zero)
}

func appendNonzeroBytesAsBool(dst, b []byte) []byte {
	var bits byte
	for _, c := range b {
		bits |= c
	}
	return jsontext.AppendBool(dst, bits != 0)
}

func appendTextAsBool(dst []byte, s string) []byte {
	switch s {
	case "0", "f", "false", "F", "FALSE", "False":
		return jsontext.AppendBool(dst, false)
	case "1", "t", "true", "T", "TRUE", "True":
		return jsontext.AppendBool(dst, true)
	default:
		return jsontext.AppendString(dst, s)
	}
}

func appendTextAsDate(dst []byte, s string) []byte {
	if startsWithDate(s) && (len(s) == isoDateLength || s[isoDateLength] == ' ' || s[isoDateLength] == 'T') {
		s = s[:isoDateLength]
	}
	return jsontext.AppendString(dst, s)
}

// appendTextAsTimestamp writes 2024-01-05 10:00:00.500 as 2024-01-05T10:00:00.5. What
// follows the seconds, a zone for instance, stays as it is.
func appendTextAsTimestamp(dst []byte, s string) []byte {
	const seconds = len("2024-01-05 10:00:00")
	if !startsWithDate(s) {
		return jsontext.AppendString(dst, s)
	}
	if len(s) == isoDateLength {
		dst = append(append(dst, '"'), s...)
		return append(dst, `T00:00:00"`...)
	}
	if len(s) < seconds || (s[isoDateLength] != ' ' && s[isoDateLength] != 'T') {
		return jsontext.AppendString(dst, s)
	}
	whole, rest := s[isoDateLength+1:seconds], s[seconds:]
	if strings.HasPrefix(rest, ".") && strings.Trim(rest[1:], "0123456789") == "" {
		rest = strings.TrimRight(strings.TrimRight(rest, "0"), ".")
	}
	if strings.ContainsFunc(whole+rest, needsJSONEscape) {
		return jsontext.AppendString(dst, s)
	}
	dst = append(append(dst, '"'), s[:isoDateLength]...)
	dst = append(append(dst, 'T'), whole...)
	return append(append(dst, rest...), '"')
}

func needsJSONEscape(r rune) bool { return r < 0x20 || r == '"' || r == '\\' || r >= 0x7f }

func startsWithDate(s string) bool {
	if len(s) < isoDateLength {
		return false
	}
	for i := range isoDateLength {
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

// appendTextAsUTCTimestamp writes 2024-01-05 10:00:00+02:00 as 2024-01-05T08:00:00Z. A text
// without a distance from UTC is in UTC.
func appendTextAsUTCTimestamp(dst []byte, s string) []byte {
	v, _, err := arrow.TimestampFromStringInLocation(s, arrow.Microsecond, time.UTC)
	if err != nil {
		return jsontext.AppendString(dst, s)
	}
	return append(jsontext.AppendTimestamp(append(dst, '"'), int64(v), 1_000_000, true), '"')
}

// TypeHint declares the type of a column where the warehouse's own type cannot.
type TypeHint uint8

// The hints. A hint changes nothing if it does not fit the column's type, or if the
// value does not parse as the type of the hint.
const (
	// HintNone leaves the column at its own type.
	HintNone TypeHint = iota
	// HintBoolean turns numbers (0 is false), bits and the texts 0, 1, t, f, true
	// and false into booleans.
	HintBoolean
	// HintDate writes timestamps, and texts that begin with YYYY-MM-DD, as dates.
	HintDate
	// HintTimestamp writes dates, and texts such as 2024-01-05 10:00:00, as
	// timestamps, and a timestamp with a zone as its clock in UTC.
	HintTimestamp
	// HintUTCTimestamp is Timestamp in UTC: a value without a zone is written with a Z, as a timestamp
	// with a zone is, and a text with a zone is converted.
	HintUTCTimestamp
)

// TypeHints maps column names to hints.
type TypeHints map[string]TypeHint
