package textdecode

import (
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

const (
	maxPrecision128 = 38
	maxPrecision256 = 76
)

// DecimalDecoder reads 12.5 and 1.25e1 as 12.50 for a scale of two. Up to 38 digits are
// decimal128, up to 76 decimal256; beyond that it is text of kind number.
func DecimalDecoder(precision, scale int32) Decoder {
	switch {
	case precision < 1 || precision > maxPrecision256 || scale < 0 || scale > precision:
		return NumberAsPlainTextDecoder()
	case precision > maxPrecision128:
		read := newDecimalParser(precision, scale, decimal256.FromBigInt)
		return fixedWidthDecoder(&arrow.Decimal256Type{Precision: precision, Scale: scale}, read, func(dst []byte, v decimal256.Num) []byte {
			words := v.Array()
			return jsontext.AppendDecimal(dst, words[:], int(scale))
		})
	default:
		read := newDecimalParser(precision, scale, decimal128.FromBigInt)
		return fixedWidthDecoder(&arrow.Decimal128Type{Precision: precision, Scale: scale}, read, func(dst []byte, v decimal128.Num) []byte {
			return jsontext.AppendDecimal(dst, []uint64{v.LowBits(), uint64(v.HighBits())}, int(scale))
		})
	}
}

func newDecimalParser[T any](precision, scale int32, from func(*big.Int) T) func([]byte) (T, error) {
	var digits []byte
	var unscaled big.Int
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
	return func(text []byte) (v T, err error) {
		if digits, err = appendUnscaledIntegerDigits(digits[:0], text, int(scale)); err != nil {
			return v, err
		}
		if _, ok := unscaled.SetString(string(digits), 10); !ok {
			return v, ErrFormat
		}
		if unscaled.CmpAbs(limit) >= 0 {
			return v, ErrRange
		}
		return from(&unscaled), nil
	}
}

// appendUnscaledIntegerDigits appends the digits of -12.5 as -1250 for a scale of two.
func appendUnscaledIntegerDigits(dst, text []byte, scale int) ([]byte, error) {
	text, exponent, err := cutExponent(text)
	if err != nil {
		return dst, err
	}
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			dst = append(dst, '-')
		}
		text = text[1:]
	}
	start, point := len(dst), -1
	for i, c := range text {
		switch {
		case c == '.' && point < 0:
			point = i
		case c < '0' || c > '9':
			return dst, ErrFormat
		default:
			dst = append(dst, c)
		}
	}
	digits := len(dst) - start
	if digits == 0 {
		return dst, ErrFormat
	}
	fraction := 0
	if point >= 0 {
		fraction = digits - point
	}
	// missing counts the zeros to append; digits beyond the scale must be zeros.
	missing := scale - fraction + exponent
	for ; missing < 0; missing++ {
		if len(dst) > start {
			if dst[len(dst)-1] != '0' {
				return dst, ErrRange
			}
			dst = dst[:len(dst)-1]
		}
	}
	if missing > maxPrecision256 {
		return dst, ErrRange
	}
	for range missing {
		dst = append(dst, '0')
	}
	if len(dst) == start {
		dst = append(dst, '0')
	}
	return dst, nil
}

// cutExponent splits 1.25e+3 into 1.25 and 3.
func cutExponent(text []byte) (mantissa []byte, exponent int, err error) {
	for i, c := range text {
		if c != 'e' && c != 'E' {
			continue
		}
		rest, negative := text[i+1:], false
		if len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') {
			negative, rest = rest[0] == '-', rest[1:]
		}
		n, ok := parseDigits(rest)
		if !ok || len(rest) == 0 || len(rest) > 4 {
			return nil, 0, ErrFormat
		}
		if negative {
			n = -n
		}
		return text[:i], n, nil
	}
	return text, 0, nil
}

func parseDigits(digits []byte) (n int, ok bool) {
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
