package jsonrows

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// Writer appends the rows of the batches of one schema. It is used by one
// goroutine at a time.
type Writer struct {
	columns []namedColumn
	count   int
}

type namedColumn struct {
	column
	// key is the text before the value: the brace or comma, the quoted name and the colon.
	key []byte
}

// NewWriter prepares a writer for the schema. It fails with an error of code
// driver when a column's type has no JSON form.
func NewWriter(schema *arrow.Schema, hints Hints) (*Writer, error) {
	w := &Writer{columns: make([]namedColumn, schema.NumFields())}
	for i, f := range schema.Fields() {
		c, err := NewColumn(f, hints[f.Name])
		if err != nil {
			return nil, err
		}
		opening := byte(',')
		if i == 0 {
			opening = '{'
		}
		key := append(jsontext.AppendString([]byte{opening}, f.Name), ':')
		w.columns[i] = namedColumn{c.column, key}
	}
	return w, nil
}

// AppendBatch appends the rows of a batch to dst, separated by commas from each
// other and from those of the batches before it. The brackets around them are
// the caller's.
func (w *Writer) AppendBatch(dst []byte, batch arrow.RecordBatch) []byte {
	w.bind(batch)
	return w.appendRows(dst, 0, int(batch.NumRows()))
}

func (w *Writer) bind(batch arrow.RecordBatch) {
	for i := range w.columns {
		w.columns[i].bind(batch.Column(i))
	}
}

// appendRows appends some rows of the batch that the writer is bound to.
func (w *Writer) appendRows(dst []byte, from, to int) []byte {
	for row := from; row < to; row++ {
		if w.count > 0 {
			dst = append(dst, ',')
		}
		w.count++
		if len(w.columns) == 0 {
			dst = append(dst, '{')
		}
		for i := range w.columns {
			c := &w.columns[i]
			dst = append(dst, c.key...)
			dst = c.append(dst, row)
		}
		dst = append(dst, '}')
	}
	return dst
}

// Count is the number of rows written so far.
func (w *Writer) Count() int { return w.count }

// column is an encoder and the nulls of the array it is bound to.
type column struct {
	enc    encoder
	nulls  []byte
	offset int
}

func (c *column) bind(a arrow.Array) {
	c.nulls = nil
	if a.NullN() > 0 {
		c.nulls, c.offset = a.NullBitmapBytes(), a.Data().Offset()
	}
	c.enc.bind(a)
}

func (c *column) append(dst []byte, row int) []byte {
	if c.nulls != nil && bitutil.BitIsNotSet(c.nulls, c.offset+row) {
		return jsontext.AppendNull(dst)
	}
	return c.enc.append(dst, row)
}
