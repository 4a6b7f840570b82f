package mysql

import (
	"math/big"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"

	"github.com/semlayer/semlayer/executor"
)

const (
	maxPrecision128 = 38
	maxPrecision256 = 76
	// varyingScaleMarker is the scale in the protocol of a decimal whose scale differs from row to
	// row.
	varyingScaleMarker = 31
	maxInt64Digits     = 18
)

// newDecimalDecoding takes the widest precision of its storage: the driver works the
// precision out from a display width and is one short for unsigned columns.
func newDecimalDecoding(precision, scale int64, known bool) columnDecoding {
	if !known || scale < 0 || scale >= varyingScaleMarker {
		return newTextDecoding(executor.TextKindDecimal, nil)
	}
	if precision < maxPrecision128 {
		dt := &arrow.Decimal128Type{Precision: maxPrecision128, Scale: int32(scale)}
		return newParsedTextDecoding(dt, newDecimalReader(maxPrecision128, int(scale), decimal128.FromI64, decimal128.FromBigInt))
	}
	dt := &arrow.Decimal256Type{Precision: maxPrecision256, Scale: int32(scale)}
	return newParsedTextDecoding(dt, newDecimalReader(maxPrecision256, int(scale), decimal256.FromI64, decimal256.FromBigInt))
}

func newDecimalReader[T any](precision, scale int, fromInt func(int64) T, fromBig func(*big.Int) T) func([]byte) (T, bool, error) {
	var digits []byte
	var unscaled big.Int
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
	return func(raw []byte) (v T, ok bool, err error) {
		if digits, err = appendUnscaledIntegerDigits(digits[:0], raw, scale); err != nil {
			return v, false, err
		}
		if len(digits) <= maxInt64Digits {
			n, err := strconv.ParseInt(string(digits), 10, 64)
			return fromInt(n), true, err
		}
		if _, ok := unscaled.SetString(string(digits), 10); !ok {
			return v, false, errUnexpectedFormat
		}
		if unscaled.CmpAbs(limit) >= 0 {
			return v, false, errOutOfRange
		}
		return fromBig(&unscaled), true, nil
	}
}

// appendUnscaledIntegerDigits appends the digits of -12.5 as -1250 for a scale of two.
func appendUnscaledIntegerDigits(dst, raw []byte, scale int) ([]byte, error) {
	i, digits, fraction := 0, 0, -1
	if len(raw) > 0 && raw[0] == '-' {
		dst = append(dst, '-')
		i++
	}
	for ; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '.' && fraction < 0:
			fraction = 0
		case c < '0' || c > '9':
			return dst, errUnexpectedFormat
		default:
			dst = append(dst, c)
			digits++
			if fraction >= 0 {
				fraction++
			}
		}
	}
	if digits == 0 {
		return dst, errUnexpectedFormat
	}
	if fraction > scale {
		return dst, errOutOfRange
	}
	for range scale - max(fraction, 0) {
		dst = append(dst, '0')
	}
	return dst, nil
}
