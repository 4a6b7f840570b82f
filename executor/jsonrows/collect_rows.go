package jsonrows

import (
	"context"
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// NoByteLimit allows a result of any size.
const NoByteLimit = math.MaxInt

// CollectedResult is a complete result in memory.
type CollectedResult struct {
	// Columns are the names in order.
	Columns []string
	// Rows is a JSON array of objects.
	Rows []byte
	// Count is the number of objects in Rows.
	Count int
}

// ColumnNamesOfSchema returns the column names of a schema, never nil.
func ColumnNamesOfSchema(schema *arrow.Schema) []string {
	names := make([]string, schema.NumFields())
	for i, f := range schema.Fields() {
		names[i] = f.Name
	}
	return names
}

// CollectResult drains rows. Closing them stays with the caller.
func CollectResult(ctx context.Context, rows executor.Rows, hints TypeHints) (CollectedResult, error) {
	text, count, err := AppendAllRows(ctx, nil, rows, hints, TextBounds{Bytes: NoByteLimit})
	if err != nil {
		return CollectedResult{}, err
	}
	return CollectedResult{Columns: ColumnNamesOfSchema(rows.Schema()), Rows: text, Count: count}, nil
}

// TextBounds bound a text of rows.
type TextBounds struct {
	Bytes int // the longest text; NoByteLimit for any
	Room  int // further bytes that a buffer which had to grow has room for
	// Grow is called before the text takes more memory, with the number of further bytes; nil for no call. Its error
	// ends the text.
	Grow func(bytes int) error
}

// AppendAllRows drains rows and appends them to dst as a JSON array. It returns the number of rows;
// after an error the appended text is incomplete. A text that is too long is an error of code
// driver, which is found before much more memory is used.
func AppendAllRows(ctx context.Context, dst []byte, rows executor.Rows, hints TypeHints, bounds TextBounds) ([]byte, int, error) {
	w, err := NewRowWriter(rows.Schema(), hints)
	if err != nil {
		return dst, 0, err
	}
	text := newBlockBuffer(append(dst, '['))
	if err := executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error { return appendBatch(text, w, batch, bounds) }); err != nil {
		return dst, w.RowCount(), err
	}
	return append(text.joinBlocks(1+bounds.Room), ']'), w.RowCount(), nil
}

func appendBatch(text *blockBuffer, w *RowWriter, batch arrow.RecordBatch, bounds TextBounds) error {
	w.bindColumns(batch)
	total := int(batch.NumRows())
	most := max(maxBytesBetweenSizeChecks*total/max(int(executor.BatchBytes(batch)), 1), 1) // whose values are so long
	for from := 0; from < total; {
		to := min(from+min(text.rowsUntilSizeCheck(), most), total)
		text.last = w.appendRows(text.reserveRows(to-from), from, to)
		if text.recordAppendedRows(to-from) > bounds.Bytes {
			return resultTooLargeError(bounds.Bytes)
		}
		if err := text.countGrowth(bounds.Grow); err != nil {
			return err
		}
		from = to
	}
	return nil
}

func resultTooLargeError(limit int) error {
	return &executor.Error{
		Code:    executor.CodeDriver,
		Message: "the result is larger than the " + strconv.Itoa(limit) + " bytes that a result in JSON may have",
		Hint:    "request an Arrow stream, whose size is not limited, or fewer rows",
	}
}
