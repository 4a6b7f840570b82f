package value

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// appendFloatText appends a float in the shortest form, as PostgreSQL does: with an exponent below 1e-4 and from 10^digits on.
func appendFloatText(dst []byte, v float64, size, digits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case math.IsInf(v, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(v, -1):
		return append(dst, "-Infinity"...)
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= math.Pow10(digits)) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, v, format, -1, size)
}

const (
	maxPlainFloat64Digits = 15 // from which on PostgreSQL writes an exponent
	maxPlainFloat32Digits = 6
)

// appendDecimal appends an integer of 128 bits in two's complement, with so many digits after the point.
func appendDecimal(dst []byte, high int64, low uint64, scale int) []byte {
	negative := high < 0
	h, l := uint64(high), low
	if negative {
		l = -l
		h = ^h
		if l == 0 {
			h++
		}
	}
	var text [48]byte
	at := len(text)
	for h != 0 || l != 0 {
		const chunk = 10_000_000_000_000_000_000 // of 19 digits
		var rest uint64
		if h == 0 {
			l, rest = l/chunk, l%chunk
		} else {
			var q uint64
			q, h = h/chunk, h%chunk
			l, rest = bits.Div64(h, l, chunk)
			h = q
		}
		for n := 0; n < 19 && (rest != 0 || h != 0 || l != 0); n++ {
			at--
			text[at] = byte('0' + rest%10)
			rest /= 10
		}
	}
	return appendWithDecimalPoint(dst, text[at:], scale, negative)
}

// appendWithDecimalPoint appends digits with a point before the last scale of them.
func appendWithDecimalPoint(dst, digits []byte, scale int, negative bool) []byte {
	if negative {
		dst = append(dst, '-')
	}
	if scale <= 0 {
		if len(digits) == 0 {
			return append(dst, '0')
		}
		dst = append(dst, digits...)
		for ; scale < 0; scale++ {
			dst = append(dst, '0')
		}
		return dst
	}
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0', '.')
		for ; whole < 0; whole++ {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[:whole]...)
	return append(append(dst, '.'), digits[whole:]...)
}

// decimalParts are the parts of a number in plain or scientific notation.
type decimalParts struct {
	negative bool
	digits   string // without the point
	scale    int    // digits after the point
}

const (
	maxNumericDigits = 131072 // before the point
	maxNumericScale  = 16383
)

// parseDecimal reads a number.
func parseDecimal(text string) (decimalParts, bool) {
	var out decimalParts
	s := strings.TrimSpace(text)
	if s != "" && (s[0] == '-' || s[0] == '+') {
		out.negative, s = s[0] == '-', s[1:]
	}
	exponent := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		n, err := strconv.Atoi(s[i+1:])
		if err != nil || n > maxNumericDigits || n < -maxNumericScale {
			return out, false
		}
		exponent, s = n, s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	out.digits, out.scale = whole+fraction, len(fraction)-exponent
	if out.digits == "" || strings.Trim(out.digits, "0123456789") != "" {
		return out, false
	}
	if out.scale < 0 {
		out.digits, out.scale = out.digits+strings.Repeat("0", -out.scale), 0
	}
	return out, out.scale <= maxNumericScale && len(out.digits)-out.scale <= maxNumericDigits
}

// toInteger returns the value of a number without a fraction; false for any other.
func (d decimalParts) toInteger() (int64, bool) {
	digits := d.digits
	if d.scale > 0 {
		if d.scale > len(digits) {
			return 0, strings.Trim(digits, "0") == ""
		}
		if strings.Trim(digits[len(digits)-d.scale:], "0") != "" {
			return 0, false
		}
		digits = digits[:len(digits)-d.scale]
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return 0, true
	}
	if d.negative {
		digits = "-" + digits
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// appendText appends a number in plain notation.
func (d decimalParts) appendText(dst []byte) []byte {
	digits := strings.TrimLeft(d.digits, "0")
	negative := d.negative && digits != ""
	return appendWithDecimalPoint(dst, []byte(digits), d.scale, negative)
}

// The marks of a numeric in binary form.
const (
	numericNegativeSign      = 0x4000
	numericNaNSign           = 0xC000
	numericInfinitySign      = 0xD000
	numericMinusInfinitySign = 0xF000
)

// appendBinary appends a number in the binary form of numeric: digits of base 10000.
func (d decimalParts) appendBinary(dst []byte) []byte {
	digits := d.digits
	whole := len(digits) - d.scale
	if whole < 0 {
		digits, whole = strings.Repeat("0", -whole)+digits, 0
	}
	if pad := (4 - whole%4) % 4; pad > 0 {
		digits, whole = strings.Repeat("0", pad)+digits, whole+pad
	}
	if pad := (4 - len(digits)%4) % 4; pad > 0 {
		digits += strings.Repeat("0", pad)
	}
	weight := whole/4 - 1
	groups := make([]uint16, 0, len(digits)/4)
	for i := 0; i < len(digits); i += 4 {
		n, _ := strconv.ParseUint(digits[i:i+4], 10, 16) // digits alone
		groups = append(groups, uint16(n))
	}
	for len(groups) > 0 && groups[0] == 0 {
		groups, weight = groups[1:], weight-1
	}
	for len(groups) > 0 && groups[len(groups)-1] == 0 {
		groups = groups[:len(groups)-1]
	}
	sign := uint16(0)
	if len(groups) == 0 {
		weight = 0
	} else if d.negative {
		sign = numericNegativeSign
	}
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(groups)))
	dst = binary.BigEndian.AppendUint16(dst, uint16(int16(weight)))
	dst = binary.BigEndian.AppendUint16(dst, sign)
	dst = binary.BigEndian.AppendUint16(dst, uint16(d.scale))
	for _, g := range groups {
		dst = binary.BigEndian.AppendUint16(dst, g)
	}
	return dst
}

// appendNumericNaNOrInfinityBinary appends NaN or an infinity in the binary form of numeric.
func appendNumericNaNOrInfinityBinary(dst []byte, mark uint16) []byte {
	return append(dst, 0, 0, 0, 0, byte(mark>>8), byte(mark), 0, 0)
}

// binaryNumericToText reads the binary form of numeric as text.
func binaryNumericToText(b []byte) (string, bool) {
	if len(b) < 8 {
		return "", false
	}
	count, weight := int(binary.BigEndian.Uint16(b)), int(int16(binary.BigEndian.Uint16(b[2:])))
	sign, scale := binary.BigEndian.Uint16(b[4:]), int(binary.BigEndian.Uint16(b[6:]))
	switch sign {
	case numericNaNSign:
		return "NaN", len(b) == 8
	case numericInfinitySign:
		return "Infinity", len(b) == 8
	case numericMinusInfinitySign:
		return "-Infinity", len(b) == 8
	case 0, numericNegativeSign:
	default:
		return "", false
	}
	if len(b) != 8+2*count || scale > maxNumericScale || count > 0 && weight >= maxNumericDigits/4 || weight < -maxNumericScale {
		return "", false
	}
	group := func(i int) uint16 {
		if i < 0 || i >= count {
			return 0
		}
		return binary.BigEndian.Uint16(b[8+2*i:])
	}
	digits := make([]byte, 0, 4*(max(weight, 0)+1)+scale+4)
	for i := range count {
		if group(i) > 9999 {
			return "", false
		}
	}
	for i := min(0, weight+1); i <= weight; i++ {
		digits = appendPadded(digits, int64(group(i)), 4)
	}
	for i := 0; i < (scale+3)/4; i++ {
		digits = appendPadded(digits, int64(group(weight+1+i)), 4)
	}
	if extra := (4 - scale%4) % 4; extra > 0 {
		digits = digits[:len(digits)-extra]
	}
	return string(decimalParts{negative: sign == numericNegativeSign, digits: string(digits), scale: scale}.appendText(nil)), true
}
