package driver

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// firstBatchRows is the size of the first batch, and rowsBetweenTimeChecks how many rows pass
// between two looks at the clock.
const (
	firstBatchRows        = 1024
	rowsBetweenTimeChecks = 8
)

// BatchBuilder gathers rows in the builders of a schema.
type BatchBuilder struct {
	builder *array.RecordBuilder
	sizer   BatchSizer
}

// NewBatchBuilder returns an empty batcher.
func NewBatchBuilder(schema *arrow.Schema) *BatchBuilder {
	return &BatchBuilder{array.NewRecordBuilder(memory.DefaultAllocator, schema), NewBatchSizer(firstBatchRows)}
}

// FieldBuilder returns the builder of a column, the same one for the batcher's life.
func (b *BatchBuilder) FieldBuilder(i int) array.Builder { return b.builder.Field(i) }

// BuildNextBatch calls next until a batch is worth handing out or next reports the end. Next appends one
// value to every column and returns the number of bytes of the row. Fill returns nil when next
// has no more rows, and an error when a text is not valid UTF-8.
func (b *BatchBuilder) BuildNextBatch(next func() (bytes int, more bool, err error)) (arrow.RecordBatch, error) {
	b.sizer.StartBatch()
	count, bytes := 0, 0
	for !b.sizer.IsLarge(count, bytes) && (count%rowsBetweenTimeChecks != 0 || !b.sizer.IsFull(count, bytes)) {
		n, more, err := next()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		count++
		bytes += n
	}
	if count == 0 {
		return nil, nil
	}
	b.sizer.RaiseRowTarget(count)
	batch := b.builder.NewRecordBatch()
	if err := CheckUTF8(batch); err != nil {
		batch.Release()
		return nil, err
	}
	return batch, nil
}

// Release frees what was gathered and not handed out.
func (b *BatchBuilder) Release() { b.builder.Release() }
