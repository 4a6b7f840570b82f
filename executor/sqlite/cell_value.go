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
	storageClassNull storageClass = iota
	storageClassInteger
	storageClassFloat
	storageClassText
	storageClassBlob
)

// cellValue is one cell.
type cellValue struct {
	class  storageClass
	whole  int64
	double float64
	bytes  []byte
}

// memorySize is about what the value takes in memory.
func (v cellValue) memorySize() int { return 8 + len(v.bytes) }

// copyValue returns the value with a copy of its bytes.
func (v cellValue) copyValue() cellValue {
	v.bytes = bytes.Clone(v.bytes)
	return v
}

// maxExactDoubleInteger is the largest integer up to which every one has a double.
const maxExactDoubleInteger = 1 << 53

// isExactDouble reports whether the value, a number, is the same as a double.
func (v cellValue) isExactDouble() bool {
	return v.class != storageClassInteger || -maxExactDoubleInteger <= v.whole && v.whole <= maxExactDoubleInteger
}

// asIntegerIfWhole returns the number as an integer, if it is one.
func (v cellValue) asIntegerIfWhole() (int64, bool) {
	switch v.class {
	case storageClassInteger:
		return v.whole, true
	case storageClassFloat:
		if v.double == math.Trunc(v.double) && math.Abs(v.double) <= maxExactDoubleInteger {
			return int64(v.double), true
		}
	}
	return 0, false
}

// toExactDouble returns the number as a double, if that is the same number.
func (v cellValue) toExactDouble() (float64, bool) {
	switch {
	case v.class == storageClassFloat:
		return v.double, true
	case v.class == storageClassInteger && v.isExactDouble():
		return float64(v.whole), true
	}
	return 0, false
}

// appendPlainNumberText appends a number in plain notation.
func (v cellValue) appendPlainNumberText(dst []byte) ([]byte, bool) {
	switch v.class {
	case storageClassInteger:
		return strconv.AppendInt(dst, v.whole, 10), true
	case storageClassFloat:
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
func (v cellValue) appendText(dst []byte) ([]byte, bool) {
	switch v.class {
	case storageClassText:
		return append(dst, v.bytes...), true
	default:
		return v.appendPlainNumberText(dst)
	}
}

// appendJSON appends the value as JSON.
func (v cellValue) appendJSON(dst []byte) ([]byte, bool) {
	switch {
	case v.class == storageClassText:
		quoted, err := json.Marshal(string(v.bytes))
		return append(dst, quoted...), err == nil && utf8.Valid(v.bytes)
	case v.class == storageClassFloat && math.IsInf(v.double, 0):
		return append(dst, "null"...), true
	}
	return v.appendPlainNumberText(dst)
}
