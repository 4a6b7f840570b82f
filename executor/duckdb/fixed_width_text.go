package duckdb

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// fixedWidthCellTextWriter reads cells of one width from their own memory.
type fixedWidthCellTextWriter struct {
	width int
	text  func(dst []byte, at unsafe.Pointer) []byte
	data  unsafe.Pointer
}

func newFixedWidthCellTextWriter(text func([]byte, unsafe.Pointer) []byte, width int) *fixedWidthCellTextWriter {
	return &fixedWidthCellTextWriter{width: width, text: text}
}

func (c *fixedWidthCellTextWriter) bindVector(vec duckdbVector) { c.data = vec.data }

func (c *fixedWidthCellTextWriter) appendCell(dst []byte, row int) []byte {
	return c.text(dst, unsafe.Add(c.data, row*c.width))
}

// appendUUIDText reads a UUID, which DuckDB keeps as a 128-bit number whose sign bit
// is turned around so that it sorts as text does.
func appendUUIDText(dst []byte, at unsafe.Pointer) []byte {
	words := (*[2]uint64)(at)
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], words[1]^1<<63)
	binary.BigEndian.PutUint64(raw[8:], words[0])
	for i, part := range [][]byte{raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}

// appendBitText reads a bit string: a byte that counts the padding bits, then the
// bits from the highest down, padding first.
func appendBitText(dst []byte, at unsafe.Pointer) []byte {
	raw := readStringCell(at)
	if len(raw) == 0 {
		return dst
	}
	bits := raw[1:]
	for i := int(raw[0]); i < 8*len(bits); i++ {
		dst = append(dst, '0'+bits[i/8]>>(7-i%8)&1)
	}
	return dst
}

// appendTimeTZText reads a time with an offset: microseconds in the upper 40 bits,
// and in the lower 24 the distance of the offset from its greatest value.
func appendTimeTZText(dst []byte, at unsafe.Pointer) []byte {
	const maxOffset = 16*60*60 - 1
	word := *(*uint64)(at)
	dst = jsontext.AppendTime(dst, int64(word>>24), 1_000_000)
	return jsontext.AppendUTCOffset(dst, maxOffset-int64(word&(1<<24-1)))
}

// appendBigNumText reads a BIGNUM: three bytes of header, whose highest bit is set
// for numbers that are not negative, then the magnitude, highest byte first.
// A negative number has every bit turned around.
func appendBigNumText(dst []byte, at unsafe.Pointer) []byte {
	const header = 3
	raw := readStringCell(at)
	if len(raw) < header {
		return append(dst, '0')
	}
	magnitude := append([]byte(nil), raw[header:]...)
	negative := raw[0]&0x80 == 0
	if negative {
		for i := range magnitude {
			magnitude[i] = ^magnitude[i]
		}
	}
	n := new(big.Int).SetBytes(magnitude)
	if negative {
		n.Neg(n)
	}
	return n.Append(dst, 10)
}

// enumCellTextWriter looks up the words of an ENUM.
type enumCellTextWriter struct {
	words []string
	width int
	data  unsafe.Pointer
}

func enumLabelsAndWidth(logical bindings.LogicalType) (words []string, width int) {
	words = make([]string, bindings.EnumDictionarySize(logical))
	for i := range words {
		words[i] = bindings.EnumDictionaryValue(logical, bindings.IdxT(i))
	}
	switch bindings.EnumInternalType(logical) {
	case bindings.TypeUTinyInt:
		return words, 1
	case bindings.TypeUSmallInt:
		return words, 2
	default:
		return words, 4
	}
}

func (c *enumCellTextWriter) bindVector(vec duckdbVector) { c.data = vec.data }

func (c *enumCellTextWriter) labelOfRow(row int) string {
	switch at := unsafe.Add(c.data, row*c.width); c.width {
	case 1:
		return c.words[*(*uint8)(at)]
	case 2:
		return c.words[*(*uint16)(at)]
	default:
		return c.words[*(*uint32)(at)]
	}
}

func (c *enumCellTextWriter) appendCell(dst []byte, row int) []byte {
	return append(dst, c.labelOfRow(row)...)
}
