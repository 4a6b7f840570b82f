package value

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParameterText is the text form of the value of a parameter. A value that does not read is an *Error.
func ParameterText(oid uint32, format int16, b []byte) (string, error) {
	if format == TextFormat {
		return readText(oid, b)
	}
	return readBinary(oid, b)
}

// readText checks a value in text form.
func readText(oid uint32, b []byte) (string, error) {
	text := string(b)
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return "", &Error{SQLState: stateInvalidEncoding, Message: "the value of a parameter is not UTF-8 without NUL"}
	}
	if isText(oid) || oid == Interval || StatementType(oid) == "" || StatementType(oid) == "text" {
		return text, nil
	}
	if oid == Date || oid == Time || oid == Timestamp || oid == TimestampTZ {
		return text, nil // whose spellings are those of constants
	}
	normal, err := appendFromText(nil, oid, TextFormat, text)
	if err != nil {
		return "", &Error{SQLState: stateInvalidText, Message: "the value of a parameter is not of type " + nameOf(oid)}
	}
	if oid == Float4 || oid == Float8 {
		return floatText(text)
	}
	return string(normal), nil
}

// floatText refuses the values that a statement has no literal for.
func floatText(text string) (string, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return "", &Error{SQLState: stateOutOfRange, Message: "the value of a parameter is not a finite number"}
	}
	return strconv.FormatFloat(v, 'g', -1, 64), nil
}

func invalidBinary(oid uint32) error {
	return &Error{SQLState: stateInvalidBinary, Message: "the value of a parameter is not the binary form of " + nameOf(oid)}
}

// readBinary reads a value in binary form.
func readBinary(oid uint32, b []byte) (string, error) {
	if isText(oid) {
		return readText(oid, b)
	}
	if size := int(Size(oid)); size > 0 && len(b) != size {
		return "", invalidBinary(oid)
	}
	switch oid {
	case Bool:
		return strconv.FormatBool(b[0] != 0), nil
	case Int2:
		return strconv.FormatInt(int64(int16(binary.BigEndian.Uint16(b))), 10), nil
	case Int4:
		return strconv.FormatInt(int64(int32(binary.BigEndian.Uint32(b))), 10), nil
	case OID:
		return strconv.FormatUint(uint64(binary.BigEndian.Uint32(b)), 10), nil
	case Int8:
		return strconv.FormatInt(int64(binary.BigEndian.Uint64(b)), 10), nil
	case Float4:
		return floatText(strconv.FormatFloat(float64(math.Float32frombits(binary.BigEndian.Uint32(b))), 'g', -1, 32))
	case Float8:
		return floatText(strconv.FormatFloat(math.Float64frombits(binary.BigEndian.Uint64(b)), 'g', -1, 64))
	case Numeric:
		text, ok := readNumericBinary(b)
		if !ok {
			return "", invalidBinary(oid)
		}
		return text, nil
	case UUID:
		h := hex.EncodeToString(b)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
	case Bytea:
		return `\x` + hex.EncodeToString(b), nil
	case JSONB:
		if len(b) == 0 || b[0] != 1 {
			return "", invalidBinary(oid)
		}
		return readText(JSON, b[1:])
	}
	return readInstantBinary(oid, b)
}

// readInstantBinary reads days and times.
func readInstantBinary(oid uint32, b []byte) (string, error) {
	var (
		out []byte
		err error
	)
	switch oid {
	case Date:
		out, err = appendDays(nil, int64(int32(binary.BigEndian.Uint32(b)))+epochDays)
	case Time:
		micros := int64(binary.BigEndian.Uint64(b))
		if micros < 0 || micros > microsPerDay {
			return "", invalidBinary(oid)
		}
		out = appendClock(nil, micros)
	case Timestamp, TimestampTZ:
		micros := int64(binary.BigEndian.Uint64(b))
		if micros > math.MaxInt64-epochDays*microsPerDay {
			return "", instantError()
		}
		out, err = appendMicros(nil, micros+epochDays*microsPerDay, oid == TimestampTZ)
	default:
		return "", &Error{SQLState: "0A000", Message: "a parameter of this type has no binary form here: send it as text"}
	}
	return string(out), err
}
