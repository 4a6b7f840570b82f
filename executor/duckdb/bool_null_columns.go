package duckdb

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// boolColumn packs DuckDB's byte a cell into Arrow's bit a cell.
type boolColumn struct {
	validity
	packed []byte
}

func (c *boolColumn) append(vec vector, n, expect int) error {
	first := c.rows
	c.validity.append(vec.mask, n)
	if c.packed == nil {
		c.packed = make([]byte, 0, bitutil.BytesForBits(int64(max(n, expect))))
	}
	if missing := int(bitutil.BytesForBits(int64(c.rows))) - len(c.packed); missing > 0 {
		c.packed = append(c.packed, make([]byte, missing)...)
	}
	for row, v := range cells[byte](vec, n) {
		if v != 0 && !c.isNull(first+row) {
			bitutil.SetBit(c.packed, first+row)
		}
	}
	return nil
}

func (c *boolColumn) size() int { return len(c.packed) }

func (c *boolColumn) finish() arrow.Array {
	values := memory.NewBufferBytes(c.packed)
	c.packed = nil
	bitmap, rows, nulls := c.validity.finish()
	return makeArray(arrow.FixedWidthTypes.Boolean, rows, nulls, bitmap, values)
}

// nullColumn is a column of the type NULL.
type nullColumn struct{ rows int }

func (c *nullColumn) append(_ vector, n, _ int) error {
	c.rows += n
	return nil
}

func (c *nullColumn) size() int { return 0 }

func (c *nullColumn) finish() arrow.Array {
	a := array.NewNull(c.rows)
	c.rows = 0
	return a
}
