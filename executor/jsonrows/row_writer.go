package jsonrows

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// RowWriter appends the rows of the batches of one schema. It is used by one
// goroutine at a time.
type RowWriter struct {
	columns []objectMemberEncoder
	count   int
}

type objectMemberEncoder struct {
	nullableEncoder
	// key is the text before the value: the brace or comma, the quoted name and the colon.
	key []byte
}

// NewRowWriter prepares a writer for the schema. It fails with an error of code
// driver when a column's type has no JSON form.
func NewRowWriter(schema *arrow.Schema, hints TypeHints) (*RowWriter, error) {
	w := &RowWriter{columns: make([]objectMemberEncoder, schema.NumFields())}
	for i, f := range schema.Fields() {
		c, err := NewColumnEncoder(f, hints[f.Name])
		if err != nil {
			return nil, err
		}
		opening := byte(',')
		if i == 0 {
			opening = '{'
		}
		key := append(jsontext.AppendString([]byte{opening}, f.Name), ':')
		w.columns[i] = objectMemberEncoder{c.nullableEncoder, key}
	}
	return w, nil
}

// AppendBatch appends the rows of a batch to dst, separated by commas from each
// other and from those of the batches before it. The brackets around them are
// the caller's.
func (w *RowWriter) AppendBatch(dst []byte, batch arrow.RecordBatch) []byte {
	w.bindColumns(batch)
	return w.appendRows(dst, 0, int(batch.NumRows()))
}

func (w *RowWriter) bindColumns(batch arrow.RecordBatch) {
	for i := range w.columns {
		w.columns[i].bindArray(batch.Column(i))
	}
}

// appendRows appends some rows of the batch that the writer is bound to.
func (w *RowWriter) appendRows(dst []byte, from, to int) []byte {
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
			dst = c.appendValue(dst, row)
		}
		dst = append(dst, '}')
	}
	return dst
}

// RowCount returns the number of rows written so far.
func (w *RowWriter) RowCount() int { return w.count }

// nullableEncoder is an encoder and the nulls of the array it is bound to.
type nullableEncoder struct {
	enc    valueEncoder
	nulls  []byte
	offset int
}

func (c *nullableEncoder) bindArray(a arrow.Array) {
	c.nulls = nil
	if a.NullN() > 0 {
		c.nulls, c.offset = a.NullBitmapBytes(), a.Data().Offset()
	}
	c.enc.bindArray(a)
}

func (c *nullableEncoder) appendValue(dst []byte, row int) []byte {
	if c.nulls != nil && bitutil.BitIsNotSet(c.nulls, c.offset+row) {
		return jsontext.AppendNull(dst)
	}
	return c.enc.appendValue(dst, row)
}
