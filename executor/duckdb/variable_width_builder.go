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
	stringCellSize = 16
	inlineTextSize = 12
	// maxReservedBytesPerRow keeps one long text from reserving memory for thousands more.
	maxReservedBytesPerRow = 64
)

// readStringCell reads DuckDB's string cell: a length, then up to twelve bytes in
// place or a prefix and a pointer. The bytes live as long as the chunk.
func readStringCell(cell unsafe.Pointer) []byte {
	n := *(*uint32)(cell)
	if n <= inlineTextSize {
		return unsafe.Slice((*byte)(unsafe.Add(cell, 4)), n)
	}
	return unsafe.Slice(*(**byte)(unsafe.Add(cell, 8)), n)
}

// ErrRowsTooWide is the error of rows that Options.MaxChunkBytes does not allow.
var ErrRowsTooWide = errors.New("the rows are too wide")

var errBatchColumnTooLarge = errors.New("a batch would hold more than 2 GiB of it")

// variableWidthBuilder gathers values of varying length, Arrow's way.
type variableWidthBuilder struct {
	validityBuilder
	dt   arrow.DataType
	ends []int32
	data []byte
	// likely is a guess at the bytes of this batch, from those a row of the one
	// before had.
	likely, perRow int

	chunkBytes int // bound of what one chunk adds; 0 for none
	chunkStart int

	grow    func(bytes int) error // takes memory for the batch; nil where none is counted
	counted int                   // bytes that were passed to it
}

// minGrowBytes is the least memory that a column takes at once.
const minGrowBytes = 64 << 10

// batchMemoryError is an error of the function that takes memory for a batch.
type batchMemoryError struct{ error }

func (e batchMemoryError) Unwrap() error { return e.error }

func (o *variableWidthBuilder) limitMemory(chunkBytes int, grow func(bytes int) error) {
	o.chunkBytes, o.grow = chunkBytes, grow
}

// checkSize reports whether the column may have so many bytes, and takes memory for them.
func (o *variableWidthBuilder) checkSize(bytes int) error {
	if o.grow != nil && bytes > o.counted {
		more := max(bytes-o.counted, minGrowBytes)
		if err := o.grow(more); err != nil {
			return batchMemoryError{err}
		}
		o.counted += more
	}
	switch {
	case o.chunkBytes > 0 && bytes-o.chunkStart > o.chunkBytes:
		return ErrRowsTooWide
	case bytes > math.MaxInt32:
		return errBatchColumnTooLarge
	}
	return nil
}

func (o *variableWidthBuilder) reserveRows(n, expect int) {
	o.chunkStart = len(o.data)
	if o.ends == nil {
		rows := max(n, expect)
		o.ends = make([]int32, 1, rows+1)
		o.likely = o.perRow * rows
	}
}

// endCell closes the cell whose bytes have just been appended to data.
func (o *variableWidthBuilder) endCell() error {
	if err := o.checkSize(len(o.data)); err != nil {
		return err
	}
	o.ends = append(o.ends, int32(len(o.data)))
	return nil
}

func (o *variableWidthBuilder) sizeInBytes() int { return len(o.data) + 4*len(o.ends) }

func (o *variableWidthBuilder) buildArray() arrow.Array {
	o.reserveRows(0, 0)
	ends := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(o.ends))), 4*len(o.ends))
	buffers := []*memory.Buffer{memory.NewBufferBytes(ends), memory.NewBufferBytes(o.data)}
	o.perRow = min(len(o.data)/max(o.rows, 1)+1, maxReservedBytesPerRow)
	o.ends, o.data, o.counted = nil, nil, 0
	bitmap, rows, nulls := o.validityBuilder.buildBitmap()
	return newArrowArrayFromBuffers(o.dt, rows, nulls, append([]*memory.Buffer{bitmap}, buffers...)...)
}

// bytesColumnBuilder copies strings and blobs as they are.
type bytesColumnBuilder struct{ variableWidthBuilder }

func newBytesColumnBuilder(dt arrow.DataType) *bytesColumnBuilder {
	return &bytesColumnBuilder{variableWidthBuilder{dt: dt}}
}

// appendVector copies in two passes, lengths first: one growth of the buffer for the
// whole chunk instead of one now and then in the middle of it.
func (c *bytesColumnBuilder) appendVector(vec duckdbVector, n, expect int) error {
	c.reserveRows(n, expect)
	first, total := c.rows, len(c.data)
	hasNulls := c.validityBuilder.appendMask(vec.mask, n)
	ends := c.ends
	for row := range n {
		if !hasNulls || !c.isNull(first+row) {
			total += int(*(*uint32)(unsafe.Add(vec.data, row*stringCellSize)))
		}
		ends = append(ends, int32(total))
	}
	if err := c.checkSize(total); err != nil {
		return err
	}
	data := slices.Grow(c.data, max(total, c.likely)-len(c.data))
	for row := range n {
		if !hasNulls || !c.isNull(first+row) {
			data = append(data, readStringCell(unsafe.Add(vec.data, row*stringCellSize))...)
		}
	}
	c.ends, c.data = ends, data
	return nil
}

// cellTextWriter writes the text of one cell. It is bound to a vector before it is asked
// for its rows; only rows that are not null are requested.
type cellTextWriter interface {
	bindVector(vec duckdbVector)
	appendCell(dst []byte, row int) []byte
}

// textColumnBuilder is text that a cell writes.
type textColumnBuilder struct {
	variableWidthBuilder
	cell cellTextWriter
}

func newTextColumnBuilder(c cellTextWriter) *textColumnBuilder {
	return &textColumnBuilder{variableWidthBuilder{dt: arrow.BinaryTypes.String}, c}
}

func (c *textColumnBuilder) appendVector(vec duckdbVector, n, expect int) error {
	c.reserveRows(n, expect)
	c.cell.bindVector(vec)
	first := c.rows
	c.validityBuilder.appendMask(vec.mask, n)
	for row := range n {
		if !c.isNull(first + row) {
			c.data = c.cell.appendCell(c.data, row)
		}
		if err := c.endCell(); err != nil {
			return err
		}
	}
	return nil
}
