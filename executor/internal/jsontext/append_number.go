package jsontext

import (
	"math"
	"math/bits"
	"strconv"
)

// AppendFloat appends the shortest text that reads back as f; bits is 32 or 64. It
// follows encoding/json: 75 for 75.0, an exponent only below 1e-6 and from
// 1e21. NaN and the infinities are null.
func AppendFloat(dst []byte, f float64, bitSize int) []byte {
	if n, scale, ok := shortDecimalOfFloat(f, bitSize); ok {
		return appendFixedPoint(dst, n, scale)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return AppendNull(dst)
	}
	abs := math.Abs(f)
	format := byte('f')
	if abs != 0 {
		small, large := abs < 1e-6, abs >= 1e21
		if bitSize == 32 {
			small, large = float32(abs) < 1e-6, float32(abs) >= 1e21
		}
		if small || large {
			format = 'e'
		}
	}
	dst = strconv.AppendFloat(dst, f, format, -1, bitSize)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// shortDecimalOfFloat handles the common doubles of a warehouse: integers and amounts with up to four
// digits after the point. Two decimals of up to fifteen digits are never the same double, so
// the first that reads back as f is the shortest text for it, without the search that finds the
// shortest of any double.
func shortDecimalOfFloat(f float64, bitSize int) (n int64, scale int, ok bool) {
	const most = 1e15
	if bitSize != 64 || !(f > -most && f < most) || f == 0 {
		return 0, 0, false
	}
	for scale, factor := range [...]float64{1, 10, 100, 1e3, 1e4} {
		scaled := f * factor
		if scaled <= -most || scaled >= most {
			return 0, 0, false
		}
		// The product may be off by a rounding, and then names a neighbour: only the division,
		// which rounds once, shows whether n is right.
		n := int64(math.RoundToEven(scaled))
		if n != 0 && float64(n)/factor == f {
			return n, scale, true
		}
	}
	return 0, 0, false
}

// AppendDecimal appends unscaled / 10^scale exactly and in plain notation, with
// scale digits after the point. The unscaled value is a two's complement
// integer in little-endian words: two for 128 bits, four for 256. A negative
// scale appends zeros.
func AppendDecimal(dst []byte, unscaled []uint64, scale int) []byte {
	var words [4]uint64
	n := copy(words[:], unscaled)
	if v, ok := int64FromWords(words[:n]); ok && scale >= 0 && scale < int64TextSize {
		return appendFixedPoint(dst, v, scale)
	}
	if n > 0 && words[n-1]>>63 == 1 {
		dst = append(dst, '-')
		negateTwosComplement(words[:n])
	}
	var digits [80]byte
	at := len(digits)
	for at = writeDigitsBackward(digits[:], at, words[:n]); scale >= len(digits)-at; {
		at--
		digits[at] = '0'
	}
	if scale <= 0 {
		dst = append(dst, digits[at:]...)
		if len(digits)-at == 1 && digits[at] == '0' {
			return dst
		}
		for range -scale {
			dst = append(dst, '0')
		}
		return dst
	}
	point := len(digits) - scale
	dst = append(dst, digits[at:point]...)
	dst = append(dst, '.')
	return append(dst, digits[point:]...)
}

// int64FromWords returns the value of words that is one of 63 bits and a sign.
func int64FromWords(words []uint64) (v int64, ok bool) {
	if len(words) == 0 {
		return 0, false
	}
	v = int64(words[0])
	for _, w := range words[1:] {
		if w != uint64(v>>63) {
			return 0, false
		}
	}
	return v, true
}

func negateTwosComplement(words []uint64) {
	carry := uint64(1)
	for i := range words {
		words[i], carry = bits.Add64(^words[i], 0, carry)
	}
}

// writeDigitsBackward writes the decimal digits of the words in front of at and returns
// where they begin; zero has one digit.
func writeDigitsBackward(digits []byte, at int, words []uint64) int {
	const chunk, chunkDigits = uint64(1e19), 19
	n := len(words)
	for n > 0 && words[n-1] == 0 {
		n--
	}
	for n > 1 {
		var rest uint64
		for i := n - 1; i >= 0; i-- {
			words[i], rest = bits.Div64(rest, words[i], chunk)
		}
		for range chunkDigits {
			at--
			digits[at] = '0' + byte(rest%10)
			rest /= 10
		}
		for n > 0 && words[n-1] == 0 {
			n--
		}
	}
	if n == 0 {
		if at == len(digits) {
			at--
			digits[at] = '0'
		}
		return at
	}
	for w := words[0]; w > 0; w /= 10 {
		at--
		digits[at] = '0' + byte(w%10)
	}
	return at
}

// AppendNumberOrNull appends text that is a plain decimal number unchanged, and null for any other text:
// NaN and the infinities, above all.
func AppendNumberOrNull[T string | []byte](dst []byte, text T) []byte {
	if !isNumber(text) {
		return AppendNull(dst)
	}
	return append(dst, text...)
}

func isNumber[T string | []byte](text T) bool {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	whole := i
	i = skipDigits(text, i)
	if i == whole || (text[whole] == '0' && i > whole+1) {
		return false
	}
	if i < len(text) && text[i] == '.' {
		fraction := i + 1
		i = skipDigits(text, fraction)
		if i == fraction {
			return false
		}
	}
	return i == len(text)
}

func skipDigits[T string | []byte](text T, i int) int {
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return i
}
