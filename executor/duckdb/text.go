package duckdb

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

const (
	stringCell     = 16
	inlineTextSize = 12
	// maxReserveFactor keeps one long text from reserving memory for thousands more.
	maxReserveFactor = 64
)

// stringBytes reads DuckDB's string cell: a length, then up to twelve bytes in
// place or a prefix and a pointer. The bytes live as long as the chunk.
func stringBytes(cell unsafe.Pointer) []byte {
	n := *(*uint32)(cell)
	if n <= inlineTextSize {
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
	// likely is a guess at the bytes of this batch, from those a row of the one
	// before had.
	likely, perRow int
}

func (o *offsets) reserve(n, expect int) {
	if o.ends == nil {
		rows := max(n, expect)
		o.ends = make([]int32, 1, rows+1)
		o.likely = o.perRow * rows
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
	o.perRow = min(len(o.data)/max(o.rows, 1)+1, maxReserveFactor)
	o.ends, o.data = nil, nil
	bitmap, rows, nulls := o.validity.finish()
	return makeArray(o.dt, rows, nulls, append([]*memory.Buffer{bitmap}, buffers...)...)
}

// bytesColumn copies strings and blobs as they are.
type bytesColumn struct{ offsets }

func newBytesColumn(dt arrow.DataType) *bytesColumn { return &bytesColumn{offsets{dt: dt}} }

// append copies in two passes, lengths first: one growth of the buffer for the
// whole chunk instead of one now and then in the middle of it.
func (c *bytesColumn) append(vec vector, n, expect int) error {
	c.reserve(n, expect)
	first, total := c.rows, len(c.data)
	hasNulls := c.validity.append(vec.mask, n)
	ends := c.ends
	for row := range n {
		if !hasNulls || !c.isNull(first+row) {
			total += int(*(*uint32)(unsafe.Add(vec.data, row*stringCell)))
		}
		ends = append(ends, int32(total))
	}
	if total > math.MaxInt32 {
		return errTooLong
	}
	data := slices.Grow(c.data, max(total, c.likely)-len(c.data))
	for row := range n {
		if !hasNulls || !c.isNull(first+row) {
			data = append(data, stringBytes(unsafe.Add(vec.data, row*stringCell))...)
		}
	}
	c.ends, c.data = ends, data
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
