package executor

import "github.com/apache/arrow-go/v18/arrow"

// BatchBytes returns the memory of the values of a batch, without those of dictionaries, which batches share.
func BatchBytes(batch arrow.RecordBatch) (n int64) {
	for _, column := range batch.Columns() {
		n += arrayBytes(column.Data())
	}
	return n
}

func arrayBytes(data arrow.ArrayData) (n int64) {
	for _, b := range data.Buffers() {
		if b != nil {
			n += int64(b.Cap())
		}
	}
	for _, child := range data.Children() {
		n += arrayBytes(child)
	}
	return n
}
