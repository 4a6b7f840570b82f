package duckdb

import (
	"errors"
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

const (
	stringCell = 16
	inlineSize = 12
)

// stringBytes reads DuckDB's string cell: a length, then up to twelve bytes in
// place or a prefix and a pointer. The bytes live as long as the chunk.
func stringBytes(cell unsafe.Pointer) []byte {
	n := *(*uint32)(cell)
	if n <= inlineSize {
		return unsafe.Slice((*byte)(unsafe.Add(cell, 4)), n)
	}
	return unsafe.Slice(*(**byte)(unsafe.Add(cell, 8)), n)
}

var errTooLong = errors.New("a batch would hold more than 2 GiB of it")

// offsets gathers values of varying length, Arrow's way.
type offsets struct {
	validity
	dt   arrow.DataType
	ends []int32
	data []byte
}

func (o *offsets) reserve(n, expect int) {
	if o.ends == nil {
		o.ends = make([]int32, 1, max(n, expect)+1)
	}
}

// end closes the cell whose bytes have just been appended to data.
func (o *offsets) end() error {
	if len(o.data) > math.MaxInt32 {
		return errTooLong
	}
	o.ends = append(o.ends, int32(len(o.data)))
	return nil
}

func (o *offsets) size() int { return len(o.data) + 4*len(o.ends) }

func (o *offsets) finish() arrow.Array {
	o.reserve(0, 0)
	ends := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(o.ends))), 4*len(o.ends))
	buffers := []*memory.Buffer{memory.NewBufferBytes(ends), memory.NewBufferBytes(o.data)}
	o.ends, o.data = nil, nil
	bitmap, rows, nulls := o.validity.finish()
	return makeArray(o.dt, rows, nulls, append([]*memory.Buffer{bitmap}, buffers...)...)
}

// bytesColumn copies strings and blobs as they are.
type bytesColumn struct{ offsets }

func newBytesColumn(dt arrow.DataType) *bytesColumn { return &bytesColumn{offsets{dt: dt}} }

func (c *bytesColumn) append(vec vector, n, expect int) error {
	c.reserve(n, expect)
	first := c.rows
	c.validity.append(vec.mask, n)
	for row := range n {
		if !c.isNull(first + row) {
			c.data = append(c.data, stringBytes(unsafe.Add(vec.data, row*stringCell))...)
		}
		if err := c.end(); err != nil {
			return err
		}
	}
	return nil
}

// cell writes the text of one cell. It is bound to a vector before it is asked
// for its rows; only rows that are not null are asked for.
type cell interface {
	bind(vec vector)
	write(dst []byte, row int) []byte
}

// renderedColumn is text that a cell writes.
type renderedColumn struct {
	offsets
	cell cell
}

func newRenderedColumn(c cell) *renderedColumn {
	return &renderedColumn{offsets{dt: arrow.BinaryTypes.String}, c}
}

func (c *renderedColumn) append(vec vector, n, expect int) error {
	c.reserve(n, expect)
	c.cell.bind(vec)
	first := c.rows
	c.validity.append(vec.mask, n)
	for row := range n {
		if !c.isNull(first + row) {
			c.data = c.cell.write(c.data, row)
		}
		if err := c.end(); err != nil {
			return err
		}
	}
	return nil
}
