package value

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/planner/planerr"
)

// parameterFault is why the value of a parameter is not read.
type parameterFault struct {
	sqlState string
	fault    string // what follows the value in the message
}

func (f *parameterFault) Error() string { return f.fault }

// ParameterValueToText returns the text form of the value of the parameter with a number, from 1. A value that does not read is an
// *Error, which shows its beginning if it is text.
func ParameterValueToText(number int, oid uint32, format int16, b []byte) (text string, err error) {
	shown := ""
	if format == TextFormat {
		text, err = checkAndNormalizeTextParameter(oid, b)
		if shown = planerr.ClipText(string(b)); utf8.Valid(b) && !strings.Contains(shown, "\x00") {
			shown = strconv.Quote(shown) + " "
		} else {
			shown = ""
		}
	} else {
		text, err = binaryParameterToText(oid, b)
	}
	var fault *parameterFault
	if errors.As(err, &fault) {
		return "", &Error{SQLState: fault.sqlState, Message: "the value " + shown + "of the parameter $" + strconv.Itoa(number) + " " + fault.fault}
	}
	return text, err
}

// checkAndNormalizeTextParameter checks a value in text form.
func checkAndNormalizeTextParameter(oid uint32, b []byte) (string, error) {
	text := string(b)
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return "", &parameterFault{sqlstateInvalidEncoding, "is not UTF-8 without NUL"}
	}
	if element, isArray := elementTypeByArrayOID[oid]; isArray && oid != int2VectorOID && oid != oidVectorOID {
		return text, checkArrayText(element, text)
	}
	if isTextType(oid) || oid == IntervalOID || StatementTypeOfOID(oid) == "" || StatementTypeOfOID(oid) == "text" {
		return text, nil
	}
	if oid == DateOID || oid == TimeOID || oid == TimestampOID || oid == TimestampTZOID {
		return text, nil // whose spellings are those of constants
	}
	normal, err := appendTextAsType(nil, oid, TextFormat, text)
	if err != nil {
		return "", &parameterFault{sqlstateInvalidText, "is not of type " + typeName(oid)}
	}
	if oid == Float4OID || oid == Float8OID {
		return checkFiniteAndNormalizeFloatText(text)
	}
	return string(normal), nil
}

// checkFiniteAndNormalizeFloatText rejects the values that a statement has no literal for.
func checkFiniteAndNormalizeFloatText(text string) (string, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return "", &parameterFault{sqlstateOutOfRange, "is not a finite number"}
	}
	return strconv.FormatFloat(v, 'g', -1, 64), nil
}

func invalidBinaryError(oid uint32) error {
	return &parameterFault{sqlstateInvalidBinary, "is not the binary form of " + typeName(oid)}
}

// binaryParameterToText reads a value in binary form.
func binaryParameterToText(oid uint32, b []byte) (string, error) {
	if isTextType(oid) {
		return checkAndNormalizeTextParameter(oid, b)
	}
	if element, isArray := elementTypeByArrayOID[oid]; isArray {
		return binaryArrayToText(oid, element, b)
	}
	if size := int(TypeSize(oid)); size > 0 && len(b) != size {
		return "", invalidBinaryError(oid)
	}
	switch oid {
	case BoolOID:
		return strconv.FormatBool(b[0] != 0), nil
	case Int2OID:
		return strconv.FormatInt(int64(int16(binary.BigEndian.Uint16(b))), 10), nil
	case Int4OID:
		return strconv.FormatInt(int64(int32(binary.BigEndian.Uint32(b))), 10), nil
	case OIDOID:
		return strconv.FormatUint(uint64(binary.BigEndian.Uint32(b)), 10), nil
	case Int8OID:
		return strconv.FormatInt(int64(binary.BigEndian.Uint64(b)), 10), nil
	case Float4OID:
		return checkFiniteAndNormalizeFloatText(strconv.FormatFloat(float64(math.Float32frombits(binary.BigEndian.Uint32(b))), 'g', -1, 32))
	case Float8OID:
		return checkFiniteAndNormalizeFloatText(strconv.FormatFloat(math.Float64frombits(binary.BigEndian.Uint64(b)), 'g', -1, 64))
	case NumericOID:
		text, ok := binaryNumericToText(b)
		if !ok {
			return "", invalidBinaryError(oid)
		}
		return text, nil
	case UUIDOID:
		h := hex.EncodeToString(b)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
	case ByteaOID:
		return `\x` + hex.EncodeToString(b), nil
	case IntervalOID:
		return binaryIntervalToText(b)
	case JSONBOID:
		if len(b) == 0 || b[0] != 1 {
			return "", invalidBinaryError(oid)
		}
		return checkAndNormalizeTextParameter(JSONOID, b[1:])
	}
	return binaryDateTimeToText(oid, b)
}

// binaryIntervalToText reads an interval of one unit, as statements have them: months, days or whole seconds.
func binaryIntervalToText(b []byte) (string, error) {
	const microsPerSecond = 1_000_000
	micros, days, months := int64(binary.BigEndian.Uint64(b)), int32(binary.BigEndian.Uint32(b[8:])), int32(binary.BigEndian.Uint32(b[12:]))
	switch {
	case micros == 0 && months == 0:
		return strconv.Itoa(int(days)) + " days", nil
	case micros == 0 && days == 0:
		return strconv.Itoa(int(months)) + " months", nil
	case days == 0 && months == 0 && micros%microsPerSecond == 0:
		return strconv.FormatInt(micros/microsPerSecond, 10) + " seconds", nil
	}
	return "", &parameterFault{"0A000", "is an interval of several units; a statement has months, days or whole seconds"}
}

// binaryDateTimeToText reads days and times.
func binaryDateTimeToText(oid uint32, b []byte) (string, error) {
	var (
		out []byte
		err error
	)
	switch oid {
	case DateOID:
		out, err = appendDateText(nil, int64(int32(binary.BigEndian.Uint32(b)))+daysFrom1970To2000)
	case TimeOID:
		micros := int64(binary.BigEndian.Uint64(b))
		if micros < 0 || micros > microsPerDay {
			return "", invalidBinaryError(oid)
		}
		out = appendTimeOfDayText(nil, micros)
	case TimestampOID, TimestampTZOID:
		micros := int64(binary.BigEndian.Uint64(b))
		if micros > math.MaxInt64-daysFrom1970To2000*microsPerDay {
			return "", timeOutOfRangeError()
		}
		out, err = appendTimestampText(nil, micros+daysFrom1970To2000*microsPerDay, offsetTextOf(oid))
	default:
		return "", &Error{SQLState: "0A000", Message: "a parameter of this type has no binary form here: send it as text"}
	}
	return string(out), err
}
