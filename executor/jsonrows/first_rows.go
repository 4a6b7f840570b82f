package jsonrows

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
)

// WrittenRowsAndBytesLimit bounds the written part of a result.
type WrittenRowsAndBytesLimit struct {
	Rows  int
	Bytes int // of the array; a row that would be longer ends it
}

// AppendFirstRows drains rows, appends the first of them to dst as a JSON array and counts all of
// them. The others are not written, so that a long result takes no more memory than its
// batches.
func AppendFirstRows(ctx context.Context, dst []byte, rows executor.Rows, hints TypeHints, most WrittenRowsAndBytesLimit) (text []byte, count int, err error) {
	w, err := NewRowWriter(rows.Schema(), hints)
	if err != nil {
		return dst, 0, err
	}
	most.Bytes += len(dst)
	text = dst
	text = append(text, '[')
	full := false
	if err := executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		if !full {
			text, full = appendFirstRowsOfBatch(text, w, batch, most)
		}
		count += int(batch.NumRows())
		return nil
	}); err != nil {
		return dst, count, err
	}
	return append(text, ']'), count, nil
}

func appendFirstRowsOfBatch(text []byte, w *RowWriter, batch arrow.RecordBatch, most WrittenRowsAndBytesLimit) (_ []byte, full bool) {
	w.bindColumns(batch)
	for row := range int(batch.NumRows()) {
		if w.RowCount() == most.Rows || len(text)+rowTextAndBlobSize(batch, row) > most.Bytes {
			return text, true
		}
		before := len(text)
		if text = w.appendRows(text, row, row+1); len(text) >= most.Bytes {
			return text[:before], true
		}
	}
	return text, false
}

// rowTextAndBlobSize returns the length of the texts and blobs of a row.
func rowTextAndBlobSize(batch arrow.RecordBatch, row int) int {
	n := 0
	for _, column := range batch.Columns() {
		switch column := column.(type) {
		case *array.String:
			n += column.ValueLen(row)
		case *array.Binary:
			n += column.ValueLen(row)
		}
	}
	return n
}
