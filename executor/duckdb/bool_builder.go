package duckdb

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// boolColumnBuilder packs DuckDB's byte a cell into Arrow's bit a cell.
type boolColumnBuilder struct {
	validityBuilder
	packed []byte
}

func (c *boolColumnBuilder) appendVector(vec duckdbVector, n, expect int) error {
	first := c.rows
	c.validityBuilder.appendMask(vec.mask, n)
	if c.packed == nil {
		c.packed = make([]byte, 0, bitutil.BytesForBits(int64(max(n, expect))))
	}
	if missing := int(bitutil.BytesForBits(int64(c.rows))) - len(c.packed); missing > 0 {
		c.packed = append(c.packed, make([]byte, missing)...)
	}
	for row, v := range vectorValues[byte](vec, n) {
		if v != 0 && !c.isNull(first+row) {
			bitutil.SetBit(c.packed, first+row)
		}
	}
	return nil
}

func (c *boolColumnBuilder) sizeInBytes() int { return len(c.packed) }

func (c *boolColumnBuilder) buildArray() arrow.Array {
	values := memory.NewBufferBytes(c.packed)
	c.packed = nil
	bitmap, rows, nulls := c.validityBuilder.buildBitmap()
	return newArrowArrayFromBuffers(arrow.FixedWidthTypes.Boolean, rows, nulls, bitmap, values)
}

// nullColumnBuilder is a column of the type NULL.
type nullColumnBuilder struct{ rows int }

func (c *nullColumnBuilder) appendVector(_ duckdbVector, n, _ int) error {
	c.rows += n
	return nil
}

func (c *nullColumnBuilder) sizeInBytes() int { return 0 }

func (c *nullColumnBuilder) buildArray() arrow.Array {
	a := array.NewNull(c.rows)
	c.rows = 0
	return a
}
