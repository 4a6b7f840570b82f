package sqlite

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// storageClass is the storage class of a value.
type storageClass uint8

const (
	null storageClass = iota
	integer
	float
	text
	blob
)

// value is one cell.
type value struct {
	class  storageClass
	whole  int64
	double float64
	bytes  []byte
}

// size is about what the value takes in memory.
func (v value) size() int { return 8 + len(v.bytes) }

// kept returns the value with a copy of its bytes.
func (v value) kept() value {
	v.bytes = bytes.Clone(v.bytes)
	return v
}

// maxExactDouble is the largest integer up to which every one has a double.
const maxExactDouble = 1 << 53

// exact reports whether the value, a number, is the same as a double.
func (v value) exact() bool {
	return v.class != integer || -maxExactDouble <= v.whole && v.whole <= maxExactDouble
}

// asWhole is the number as an integer, if it is one.
func (v value) asWhole() (int64, bool) {
	switch v.class {
	case integer:
		return v.whole, true
	case float:
		if v.double == math.Trunc(v.double) && math.Abs(v.double) <= maxExactDouble {
			return int64(v.double), true
		}
	}
	return 0, false
}

// asDouble is the number as a double, if that is the same number.
func (v value) asDouble() (float64, bool) {
	switch {
	case v.class == float:
		return v.double, true
	case v.class == integer && v.exact():
		return float64(v.whole), true
	}
	return 0, false
}

// appendNumber appends a number in plain notation.
func (v value) appendNumber(dst []byte) ([]byte, bool) {
	switch v.class {
	case integer:
		return strconv.AppendInt(dst, v.whole, 10), true
	case float:
		switch {
		case math.IsInf(v.double, 1):
			return append(dst, "Infinity"...), true
		case math.IsInf(v.double, -1):
			return append(dst, "-Infinity"...), true
		}
		return strconv.AppendFloat(dst, v.double, 'f', -1, 64), true
	}
	return dst, false
}

// appendText appends what the value is as text.
func (v value) appendText(dst []byte) ([]byte, bool) {
	switch v.class {
	case text:
		return append(dst, v.bytes...), true
	default:
		return v.appendNumber(dst)
	}
}

// appendJSON appends the value as JSON.
func (v value) appendJSON(dst []byte) ([]byte, bool) {
	switch {
	case v.class == text:
		quoted, err := json.Marshal(string(v.bytes))
		return append(dst, quoted...), err == nil && utf8.Valid(v.bytes)
	case v.class == float && math.IsInf(v.double, 0):
		return append(dst, "null"...), true
	}
	return v.appendNumber(dst)
}
