package postgres

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"

	"github.com/semlayer/semlayer/executor"
)

const (
	maxDecimal64Precision  = 18
	maxDecimal128Precision = 38
	maxDecimal256Precision = 76
	typeModifierOffset     = 4
	digitsPerGroup         = 4
)

// The sign words of numeric.
const (
	numericSignPositive = 0x0000
	numericSignNegative = 0x4000
	numericSignNaN      = 0xC000
	numericSignPosInf   = 0xD000
	numericSignNegInf   = 0xF000
)

// newNumericDecoding uses a decimal type where the declaration bounds the digits, and
// text of kind number elsewhere.
func newNumericDecoding(modifier int32) columnDecoding {
	precision, scale := unpackNumericPrecision(modifier)
	switch {
	case scale < 0 || scale > precision || precision > maxDecimal256Precision:
		return newRenderedTextDecoding(executor.TextKindDecimal, appendNumericText)
	case precision > maxDecimal128Precision:
		return newDecimalDecoding(&arrow.Decimal256Type{Precision: precision, Scale: scale}, precision, scale, decimal256.FromBigInt)
	case precision > 0:
		dt := &arrow.Decimal128Type{Precision: precision, Scale: scale}
		slow := newDecimalDecoding(dt, precision, scale, decimal128.FromBigInt)
		if precision > maxDecimal64Precision {
			return slow
		}
		return newShortDecimalDecoding(dt, precision, scale, slow)
	default:
		return newRenderedTextDecoding(executor.TextKindDecimal, appendNumericText)
	}
}

// unpackNumericPrecision unpacks a declaration such as numeric(10, 2); 0 when there is
// none. The scale has eleven bits with a sign.
func unpackNumericPrecision(modifier int32) (precision, scale int32) {
	if modifier < typeModifierOffset {
		return 0, 0
	}
	m := modifier - typeModifierOffset
	return m >> 16 & 0xFFFF, m&0x7FF ^ 1024 - 1024
}

func newDecimalDecoding[T any](dt arrow.DataType, precision, scale int32, from func(*big.Int) T) columnDecoding {
	return columnDecoding{dt, executor.TextKindPlain, wireFormatBinary, func(b array.Builder) valueDecoder {
		values := b.(fixedWidthBuilder[T])
		var text []byte
		var unscaled big.Int
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
		return func(raw []byte) error {
			n, err := parseNumeric(raw)
			if err != nil {
				return err
			}
			if n.special != "" {
				values.AppendNull()
				return nil
			}
			if n.scale > int(scale) {
				return errOutOfRange
			}
			text = n.appendDigits(text[:0], int(scale), false)
			if _, ok := unscaled.SetString(string(text), 10); !ok {
				return errUnexpectedLength
			}
			if unscaled.CmpAbs(limit) >= 0 {
				return errOutOfRange
			}
			values.Append(from(&unscaled))
			return nil
		}
	}}
}

// newShortDecimalDecoding is newDecimalDecoding for numbers of up to eighteen digits, most of which are sums of a
// few groups. The general type has the rest.
func newShortDecimalDecoding(dt arrow.DataType, precision, scale int32, general columnDecoding) columnDecoding {
	limit := powersOfTen[precision]
	return columnDecoding{dt, executor.TextKindPlain, wireFormatBinary, func(b array.Builder) valueDecoder {
		values := b.(*array.Decimal128Builder)
		rest := general.decoder(b)
		return func(raw []byte) error {
			n, err := parseNumeric(raw)
			if err != nil {
				return err
			}
			unscaled, ok := n.unscaledInt64(int(scale))
			if !ok || unscaled >= limit {
				return rest(raw)
			}
			if n.negative {
				unscaled = -unscaled
			}
			values.Append(decimal128.FromI64(unscaled))
			return nil
		}
	}}
}

// powersOfTen are the powers of ten up to the largest that an int64 holds.
var powersOfTen = func() (list [maxDecimal64Precision + 1]int64) {
	list[0] = 1
	for i := 1; i < len(list); i++ {
		list[i] = 10 * list[i-1]
	}
	return list
}()

// maxGroupsFittingInt64 are the groups whose number has at most sixteen digits.
const maxGroupsFittingInt64 = 4

// unscaledInt64 returns the number without its sign and point, with scale digits after the point, when
// an int64 is known to hold it.
func (n binaryNumeric) unscaledInt64(scale int) (unscaled int64, ok bool) {
	count := len(n.groups) / 2
	if count > maxGroupsFittingInt64 || n.special != "" || n.scale > scale {
		return 0, false
	}
	for i := range count {
		unscaled = 10_000*unscaled + int64(bigEndianInt16(n.groups[2*i:]))
	}
	if unscaled == 0 {
		return 0, true
	}
	// The last group counts 10000 to the power of weight-count+1.
	switch shift := digitsPerGroup*(n.weight-count+1) + scale; {
	case shift >= len(powersOfTen) || shift <= -digitsPerGroup:
		return 0, false
	case shift < 0: // the digits after the scale, which are zero
		return unscaled / powersOfTen[-shift], true
	case unscaled > math.MaxInt64/powersOfTen[shift]:
		return 0, false
	default:
		return unscaled * powersOfTen[shift], true
	}
}

func appendNumericText(dst, raw []byte) ([]byte, error) {
	n, err := parseNumeric(raw)
	if err != nil {
		return dst, err
	}
	if n.special != "" {
		return append(dst, n.special...), nil
	}
	return n.appendDigits(dst, n.scale, true), nil
}

// binaryNumeric is a number in groups of four decimal digits. The first group counts
// 10000 to the power of weight.
type binaryNumeric struct {
	groups   []byte // two bytes each
	weight   int
	scale    int
	negative bool
	special  string
}

func parseNumeric(raw []byte) (n binaryNumeric, err error) {
	if len(raw) < 8 {
		return n, errUnexpectedLength
	}
	count := int(bigEndianInt16(raw))
	n.weight, n.scale = int(bigEndianInt16(raw[2:])), int(bigEndianInt16(raw[6:]))
	n.groups = raw[8:]
	if count < 0 || len(n.groups) != 2*count || n.scale < 0 {
		return n, errUnexpectedLength
	}
	for i := 0; i < len(n.groups); i += 2 {
		if g := bigEndianInt16(n.groups[i:]); g < 0 || g > 9999 {
			return n, errUnexpectedLength
		}
	}
	switch binary.BigEndian.Uint16(raw[4:]) {
	case numericSignPositive:
	case numericSignNegative:
		n.negative = true
	case numericSignNaN:
		n.special = "NaN"
	case numericSignPosInf:
		n.special = "Infinity"
	case numericSignNegInf:
		n.special = "-Infinity"
	default:
		return n, errUnexpectedLength
	}
	return n, nil
}

// digitGroupAt returns the group that counts 10000 to the power of exponent.
func (n binaryNumeric) digitGroupAt(exponent int) int {
	i := n.weight - exponent
	if i < 0 || 2*i >= len(n.groups) {
		return 0
	}
	return int(bigEndianInt16(n.groups[2*i:]))
}

// appendDigits appends the number with scale digits after the point, or without the
// point when it is not wanted.
func (n binaryNumeric) appendDigits(dst []byte, scale int, point bool) []byte {
	if n.negative {
		dst = append(dst, '-')
	}
	start := len(dst)
	for exponent := max(n.weight, 0); exponent >= 0; exponent-- {
		dst = appendGroupDigits(dst, n.digitGroupAt(exponent), digitsPerGroup)
	}
	// Leading zeros go, one digit stays.
	first := start
	for first < len(dst)-1 && dst[first] == '0' {
		first++
	}
	dst = append(dst[:start], dst[first:]...)
	if scale == 0 {
		return dst
	}
	if point {
		dst = append(dst, '.')
	}
	for exponent := -1; scale > 0; exponent-- {
		dst = appendGroupDigits(dst, n.digitGroupAt(exponent), min(scale, digitsPerGroup))
		scale -= digitsPerGroup
	}
	return dst
}

// appendGroupDigits appends the first count of the four digits of a group.
func appendGroupDigits(dst []byte, group, count int) []byte {
	for unit := 1000; count > 0; unit /= 10 {
		dst = append(dst, '0'+byte(group/unit%10))
		count--
	}
	return dst
}
