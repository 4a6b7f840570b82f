package postgres

import (
	"encoding/hex"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

func appendUUIDText(dst, raw []byte) ([]byte, error) {
	if len(raw) != 16 {
		return dst, errUnexpectedLength
	}
	for i, part := range [][]byte{raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst, nil
}

// appendBitText reads a bit string: the number of bits, then the bits from the
// highest of each byte down.
func appendBitText(dst, raw []byte) ([]byte, error) {
	if len(raw) < 4 {
		return dst, errUnexpectedLength
	}
	n, bits := int(bigEndianInt32(raw)), raw[4:]
	if n < 0 || (n+7)/8 != len(bits) {
		return dst, errUnexpectedLength
	}
	for i := range n {
		dst = append(dst, '0'+bits[i/8]>>(7-i%8)&1)
	}
	return dst, nil
}

// appendTimeTZText reads microseconds of the day and seconds west of UTC.
func appendTimeTZText(dst, raw []byte) ([]byte, error) {
	if len(raw) != 12 {
		return dst, errUnexpectedLength
	}
	dst = jsontext.AppendTime(dst, bigEndianInt64(raw), 1_000_000)
	return jsontext.AppendUTCOffset(dst, -int64(bigEndianInt32(raw[8:]))), nil
}

// appendJSONBText drops the version in front of the text.
func appendJSONBText(dst, raw []byte) ([]byte, error) {
	if len(raw) < 1 || raw[0] != 1 {
		return dst, errUnexpectedLength
	}
	return append(dst, raw[1:]...), nil
}
