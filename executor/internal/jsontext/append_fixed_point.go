package jsontext

// int64TextSize is the room for a number of 63 bits, a point and a zero before it.
const int64TextSize = 20

// twoDigitTexts are the numbers from 00 to 99.
const twoDigitTexts = "0001020304050607080910111213141516171819" +
	"2021222324252627282930313233343536373839" +
	"4041424344454647484950515253545556575859" +
	"6061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"

// appendFixedPoint appends v / 10^scale with scale digits after the point; scale is
// less than int64TextSize.
func appendFixedPoint(dst []byte, v int64, scale int) []byte {
	rest := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		rest = -rest
	}
	var digits [int64TextSize]byte
	at := len(digits)
	for rest >= 100 {
		two := rest % 100 * 2
		rest /= 100
		at -= 2
		digits[at], digits[at+1] = twoDigitTexts[two], twoDigitTexts[two+1]
	}
	if rest >= 10 {
		at -= 2
		digits[at], digits[at+1] = twoDigitTexts[rest*2], twoDigitTexts[rest*2+1]
	} else {
		at--
		digits[at] = '0' + byte(rest)
	}
	for len(digits)-at <= scale {
		at--
		digits[at] = '0'
	}
	if scale == 0 {
		return append(dst, digits[at:]...)
	}
	point := len(digits) - scale
	dst = append(dst, digits[at:point]...)
	dst = append(dst, '.')
	return append(dst, digits[point:]...)
}
