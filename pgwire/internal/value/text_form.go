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

// appendFromText appends a value that is given as text, in the form of a type.
func appendFromText(dst []byte, oid uint32, format int16, text string) ([]byte, error) {
	if isText(oid) {
		return appendString(dst, text)
	}
	switch oid {
	case Bool:
		v, ok := readBool(text)
		if !ok {
			return dst, misfit(oid)
		}
		return appendBool(dst, format, v), nil
	case Int2, Int4, Int8, OID:
		return appendInteger(dst, oid, format, text)
	case Float4, Float8:
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return dst, misfit(oid)
		}
		return appendDouble(dst, oid, format, v), nil
	case Numeric:
		return appendNumeric(dst, format, text)
	case Date, Time, Timestamp, TimestampTZ:
		return appendInstant(dst, oid, format, text)
	case JSONB:
		if format == BinaryFormat {
			dst = append(dst, 1)
		}
		return append(dst, text...), nil
	case Bytea:
		if format == TextFormat {
			return append(dst, text...), nil
		}
		b, err := hex.DecodeString(strings.TrimPrefix(text, `\x`))
		if err != nil {
			return dst, misfit(oid)
		}
		return append(dst, b...), nil
	case UUID:
		if format == TextFormat {
			return append(dst, text...), nil
		}
		b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		if err != nil || len(b) != 16 {
			return dst, misfit(oid)
		}
		return append(dst, b...), nil
	}
	return appendString(dst, text)
}

// appendString appends a text, which holds no NUL byte in PostgreSQL.
func appendString(dst []byte, text string) ([]byte, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return dst, &Error{SQLState: stateInvalidEncoding, Message: "a text holds a NUL byte"}
	}
	return append(dst, text...), nil
}

func readBool(text string) (v, ok bool) {
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

func appendInteger(dst []byte, oid uint32, format int16, text string) ([]byte, error) {
	d, ok := readDecimal(text)
	if !ok {
		return dst, misfit(oid)
	}
	n, ok := d.integer()
	if !ok {
		return dst, misfit(oid)
	}
	return appendInt(dst, oid, format, n)
}

// appendInt appends an integer in the form of an integer type.
func appendInt(dst []byte, oid uint32, format int16, n int64) ([]byte, error) {
	switch {
	case oid == Int4 && n != int64(int32(n)), oid == Int2 && n != int64(int16(n)), oid == OID && n != int64(uint32(n)):
		return dst, misfit(oid)
	case format == TextFormat:
		return strconv.AppendInt(dst, n, 10), nil
	}
	switch oid {
	case Int2:
		return binary.BigEndian.AppendUint16(dst, uint16(n)), nil
	case Int4, OID:
		return binary.BigEndian.AppendUint32(dst, uint32(n)), nil
	}
	return binary.BigEndian.AppendUint64(dst, uint64(n)), nil
}

func appendDouble(dst []byte, oid uint32, format int16, v float64) []byte {
	switch {
	case oid == Float4 && format == BinaryFormat:
		return binary.BigEndian.AppendUint32(dst, math.Float32bits(float32(v)))
	case oid == Float4:
		return appendFloat(dst, v, 32, singleDigits)
	case format == BinaryFormat:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return appendFloat(dst, v, 64, doubleDigits)
}

func appendNumeric(dst []byte, format int16, text string) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "nan":
		return appendMark(dst, format, "NaN", numericNaN), nil
	case "infinity", "inf", "+infinity", "+inf":
		return appendMark(dst, format, "Infinity", numericInfinity), nil
	case "-infinity", "-inf":
		return appendMark(dst, format, "-Infinity", numericMinusInf), nil
	}
	d, ok := readDecimal(text)
	switch {
	case !ok:
		return dst, misfit(Numeric)
	case format == BinaryFormat:
		return d.appendBinary(dst), nil
	}
	return d.appendText(dst), nil
}

func appendMark(dst []byte, format int16, text string, mark uint16) []byte {
	if format == BinaryFormat {
		return appendNumericMark(dst, mark)
	}
	return append(dst, text...)
}

// appendInstant appends a day, a time or a point in time that is given as text.
func appendInstant(dst []byte, oid uint32, format int16, text string) ([]byte, error) {
	switch oid {
	case Time:
		micros, ok := readClock(text)
		if !ok {
			return dst, misfit(oid)
		}
		return appendTimeOfDay(dst, format, micros), nil
	case Date:
		if day, ok := readDay(text); ok {
			return appendDate(dst, format, day)
		}
	}
	micros, ok := readInstant(text)
	if !ok || oid == Date && micros%microsPerDay != 0 {
		return dst, misfit(oid)
	}
	if oid == Date {
		return appendDate(dst, format, floorDiv(micros, microsPerDay))
	}
	return appendTimestamp(dst, oid, format, micros)
}

func appendTimeOfDay(dst []byte, format int16, micros int64) []byte {
	if format == BinaryFormat {
		return binary.BigEndian.AppendUint64(dst, uint64(micros))
	}
	return appendClock(dst, micros)
}

// appendDate appends a day, in days from 1970.
func appendDate(dst []byte, format int16, days int64) ([]byte, error) {
	if format == TextFormat {
		return appendDays(dst, days)
	}
	if days < minDays || days > maxDays {
		return dst, instantError()
	}
	return binary.BigEndian.AppendUint32(dst, uint32(int32(days-epochDays))), nil
}

// appendTimestamp appends a point in time, in microseconds from 1970.
func appendTimestamp(dst []byte, oid uint32, format int16, micros int64) ([]byte, error) {
	if format == TextFormat {
		return appendMicros(dst, micros, oid == TimestampTZ)
	}
	if floorDiv(micros, microsPerDay) < minDays {
		return dst, instantError()
	}
	return binary.BigEndian.AppendUint64(dst, uint64(micros-epochDays*microsPerDay)), nil
}
