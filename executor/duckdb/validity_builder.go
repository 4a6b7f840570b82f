package duckdb

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// validityBuilder gathers which rows are not null, one bit a row. The bitmap comes to
// be with the first null: most columns have none.
type validityBuilder struct {
	bits  []byte
	rows  int
	nulls int
}

// appendMask takes over n bits of a DuckDB mask, whose layout is Arrow's own, and
// reports whether any of the rows is null.
func (v *validityBuilder) appendMask(mask unsafe.Pointer, n int) (hasNulls bool) {
	var source []byte
	nulls := 0
	if mask != nil {
		source = unsafe.Slice((*byte)(mask), (n+63)/64*8)
		nulls = n - bitutil.CountSetBits(source, 0, n)
	}
	start := v.rows
	v.rows += n
	if nulls == 0 {
		if v.bits != nil {
			v.growBitmap()
			bitutil.SetBitsTo(v.bits, int64(start), int64(n), true)
		}
		return false
	}
	v.startBitmap(start)
	v.growBitmap()
	bitutil.CopyBitmap(source, 0, n, v.bits, start)
	v.nulls += nulls
	return true
}

func (v *validityBuilder) startBitmap(valid int) {
	if v.bits != nil {
		return
	}
	v.bits = make([]byte, bitutil.BytesForBits(int64(v.rows)))
	if valid > 0 {
		bitutil.SetBitsTo(v.bits, 0, int64(valid), true)
	}
}

func (v *validityBuilder) growBitmap() {
	if missing := int(bitutil.BytesForBits(int64(v.rows))) - len(v.bits); missing > 0 {
		v.bits = append(v.bits, make([]byte, missing)...)
	}
}

// markNull makes a row that has been appended null.
func (v *validityBuilder) markNull(row int) {
	v.startBitmap(v.rows)
	if bitutil.BitIsSet(v.bits, row) {
		bitutil.ClearBit(v.bits, row)
		v.nulls++
	}
}

func (v *validityBuilder) buildBitmap() (bitmap *memory.Buffer, rows, nulls int) {
	if v.bits != nil {
		bitmap = memory.NewBufferBytes(v.bits)
	}
	rows, nulls = v.rows, v.nulls
	*v = validityBuilder{}
	return bitmap, rows, nulls
}

func (v *validityBuilder) isNull(row int) bool {
	return v.bits != nil && bitutil.BitIsNotSet(v.bits, row)
}
