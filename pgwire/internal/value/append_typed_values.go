package value

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// The formats of values.
const (
	TextFormat   int16 = 0
	BinaryFormat int16 = 1
)

// appendTextAsType appends a value that is given as text, in the form of a type.
func appendTextAsType(dst []byte, oid uint32, format int16, text string) ([]byte, error) {
	if isTextType(oid) {
		return appendTextRejectingNUL(dst, text)
	}
	switch oid {
	case BoolOID:
		v, ok := parseBool(text)
		if !ok {
			return dst, typeMismatchError(oid)
		}
		return appendBool(dst, format, v), nil
	case Int2OID, Int4OID, Int8OID, OIDOID:
		return appendIntegerFromText(dst, oid, format, text)
	case Float4OID, Float8OID:
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return dst, typeMismatchError(oid)
		}
		return appendFloat4Or8(dst, oid, format, v), nil
	case NumericOID:
		return appendNumericFromText(dst, format, text)
	case DateOID, TimeOID, TimestampOID, TimestampTZOID:
		return appendDateTimeFromText(dst, oid, format, text)
	case JSONBOID:
		if format == BinaryFormat {
			dst = append(dst, 1)
		}
		return append(dst, text...), nil
	case ByteaOID:
		if format == TextFormat {
			return append(dst, text...), nil
		}
		b, err := hex.DecodeString(strings.TrimPrefix(text, `\x`))
		if err != nil {
			return dst, typeMismatchError(oid)
		}
		return append(dst, b...), nil
	case IntervalOID:
		if format == TextFormat {
			return append(dst, text...), nil
		}
		s, ok := parseInterval(text)
		if !ok {
			return dst, typeMismatchError(oid)
		}
		dst = binary.BigEndian.AppendUint64(dst, uint64(s.micros))
		dst = binary.BigEndian.AppendUint32(dst, uint32(s.days))
		return binary.BigEndian.AppendUint32(dst, uint32(s.months)), nil
	case BitOID, VarbitOID:
		return appendBits(dst, format, text), nil
	case UUIDOID:
		if format == TextFormat {
			return append(dst, text...), nil
		}
		b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		if err != nil || len(b) != 16 {
			return dst, typeMismatchError(oid)
		}
		return append(dst, b...), nil
	}
	return appendTextRejectingNUL(dst, text)
}

// appendBits appends a bit string of the digits 0 and 1: in binary its length and its bits, the first one highest.
func appendBits(dst []byte, format int16, digits string) []byte {
	if format == TextFormat {
		return append(dst, digits...)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(digits)))
	for i := 0; i < len(digits); i += 8 {
		var b byte
		for j := i; j < min(i+8, len(digits)); j++ {
			b |= (digits[j] - '0') << (7 - (j - i))
		}
		dst = append(dst, b)
	}
	return dst
}

// appendTextRejectingNUL appends a text, which holds no NUL byte in PostgreSQL.
func appendTextRejectingNUL(dst []byte, text string) ([]byte, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return dst, &Error{SQLState: sqlstateInvalidEncoding, Message: "a text holds a NUL byte"}
	}
	return append(dst, text...), nil
}

func parseBool(text string) (v, ok bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "t", "true", "1", "yes", "y", "on":
		return true, true
	case "f", "false", "0", "no", "n", "off":
		return false, true
	}
	return false, false
}

func appendBool(dst []byte, format int16, v bool) []byte {
	switch {
	case format == BinaryFormat && v:
		return append(dst, 1)
	case format == BinaryFormat:
		return append(dst, 0)
	case v:
		return append(dst, 't')
	}
	return append(dst, 'f')
}

func appendIntegerFromText(dst []byte, oid uint32, format int16, text string) ([]byte, error) {
	d, ok := parseDecimal(text)
	if !ok {
		return dst, typeMismatchError(oid)
	}
	n, ok := d.toInteger()
	if !ok {
		return dst, typeMismatchError(oid)
	}
	return appendInt(dst, oid, format, n)
}

// appendInt appends an integer in the form of an integer type.
func appendInt(dst []byte, oid uint32, format int16, n int64) ([]byte, error) {
	switch {
	case oid == Int4OID && n != int64(int32(n)), oid == Int2OID && n != int64(int16(n)), oid == OIDOID && n != int64(uint32(n)):
		return dst, typeMismatchError(oid)
	case format == TextFormat:
		return strconv.AppendInt(dst, n, 10), nil
	}
	switch oid {
	case Int2OID:
		return binary.BigEndian.AppendUint16(dst, uint16(n)), nil
	case Int4OID, OIDOID:
		return binary.BigEndian.AppendUint32(dst, uint32(n)), nil
	}
	return binary.BigEndian.AppendUint64(dst, uint64(n)), nil
}

func appendFloat4Or8(dst []byte, oid uint32, format int16, v float64) []byte {
	switch {
	case oid == Float4OID && format == BinaryFormat:
		return binary.BigEndian.AppendUint32(dst, math.Float32bits(float32(v)))
	case oid == Float4OID:
		return appendFloatText(dst, v, 32, maxPlainFloat32Digits)
	case format == BinaryFormat:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return appendFloatText(dst, v, 64, maxPlainFloat64Digits)
}

func appendNumericFromText(dst []byte, format int16, text string) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "nan":
		return appendNumericNaNOrInfinity(dst, format, "NaN", numericNaNSign), nil
	case "infinity", "inf", "+infinity", "+inf":
		return appendNumericNaNOrInfinity(dst, format, "Infinity", numericInfinitySign), nil
	case "-infinity", "-inf":
		return appendNumericNaNOrInfinity(dst, format, "-Infinity", numericMinusInfinitySign), nil
	}
	d, ok := parseDecimal(text)
	switch {
	case !ok:
		return dst, typeMismatchError(NumericOID)
	case format == BinaryFormat:
		return d.appendBinary(dst), nil
	}
	return d.appendText(dst), nil
}

func appendNumericNaNOrInfinity(dst []byte, format int16, text string, mark uint16) []byte {
	if format == BinaryFormat {
		return appendNumericNaNOrInfinityBinary(dst, mark)
	}
	return append(dst, text...)
}

// appendDateTimeFromText appends a day, a time or a point in time that is given as text.
func appendDateTimeFromText(dst []byte, oid uint32, format int16, text string) ([]byte, error) {
	switch oid {
	case TimeOID:
		micros, ok := parseTimeOfDay(text)
		if !ok {
			return dst, typeMismatchError(oid)
		}
		return appendTimeOfDayInFormat(dst, format, micros), nil
	case DateOID:
		if day, ok := parseDate(text); ok {
			return appendDateInFormat(dst, format, day)
		}
	}
	micros, ok := parseTimestamp(text)
	if !ok || oid == DateOID && micros%microsPerDay != 0 {
		return dst, typeMismatchError(oid)
	}
	if oid == DateOID {
		return appendDateInFormat(dst, format, floorDiv(micros, microsPerDay))
	}
	return appendTimestampInFormat(dst, oid, format, micros)
}

func appendTimeOfDayInFormat(dst []byte, format int16, micros int64) []byte {
	if format == BinaryFormat {
		return binary.BigEndian.AppendUint64(dst, uint64(micros))
	}
	return appendTimeOfDayText(dst, micros)
}

// appendDateInFormat appends a day, in days from 1970.
func appendDateInFormat(dst []byte, format int16, days int64) ([]byte, error) {
	if format == TextFormat {
		return appendDateText(dst, days)
	}
	if days < minDateDays || days > maxDateDays {
		return dst, timeOutOfRangeError()
	}
	return binary.BigEndian.AppendUint32(dst, uint32(int32(days-daysFrom1970To2000))), nil
}

// offsetTextOf is what is behind the timestamps of a type, in UTC.
func offsetTextOf(oid uint32) string {
	if oid == TimestampTZOID {
		return utcOffsetText
	}
	return ""
}

// appendTimestampInFormat appends a point in time, in microseconds from 1970.
func appendTimestampInFormat(dst []byte, oid uint32, format int16, micros int64) ([]byte, error) {
	if format == TextFormat {
		return appendTimestampText(dst, micros, offsetTextOf(oid))
	}
	if floorDiv(micros, microsPerDay) < minDateDays {
		return dst, timeOutOfRangeError()
	}
	return binary.BigEndian.AppendUint64(dst, uint64(micros-daysFrom1970To2000*microsPerDay)), nil
}
