package arrowstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/semlayer/semlayer/executor"
)

// ContentType is the registered media type of an Arrow IPC stream.
const ContentType = "application/vnd.apache.arrow.stream"

const readBufferSize = 64 << 10

// ResultStream is a result whose first batch has been taken. One goroutine uses it at a time.
type ResultStream struct {
	rows  executor.Rows
	first arrow.RecordBatch
}

// NewResultStreamFromRows takes the first batch of rows, or finds that there is none. It owns rows
// from then on and closes them when it fails.
func NewResultStreamFromRows(ctx context.Context, rows executor.Rows) (*ResultStream, error) {
	first, err := rows.Next(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, rows.Close())
	}
	return &ResultStream{rows, first}, nil
}

// Schema returns the schema of the rows.
func (s *ResultStream) Schema() *arrow.Schema { return s.rows.Schema() }

// Write writes the whole stream with the metadata added to its schema and
// returns the number of rows written. It is called once. After an error the
// stream has no end-of-stream marker, and the body that carries it must be cut
// off so that the client notices.
func (s *ResultStream) Write(ctx context.Context, w io.Writer, metadata map[string]string) (count int64, err error) {
	buffered := bufio.NewWriterSize(w, readBufferSize)
	schema := addSchemaMetadata(s.rows.Schema(), metadata)
	// Closing the IPC writer writes the marker, after a failure too: it is not
	// closed on the ways out that return an error.
	out := ipc.NewWriter(buffered, ipc.WithSchema(schema))
	for {
		batch, err := s.NextBatch(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return count, err
		}
		err = replaceSchemaAndWriteBatch(out, schema, batch)
		if err == nil {
			err = buffered.Flush()
		}
		if err != nil {
			return count, fmt.Errorf("the stream was not taken: %w", err)
		}
		count += batch.NumRows()
	}
	if err := errors.Join(out.Close(), buffered.Flush()); err != nil {
		return count, fmt.Errorf("the stream was not taken: %w", err)
	}
	return count, nil
}

// Close frees the rows, and the first batch if it was never written.
func (s *ResultStream) Close() error {
	if s.first != nil {
		s.first.Release()
		s.first = nil
	}
	return s.rows.Close()
}

// NextBatch returns the next batch, io.EOF after the last, for callers that do not Write. The caller releases it.
func (s *ResultStream) NextBatch(ctx context.Context) (arrow.RecordBatch, error) {
	if s.first != nil {
		batch := s.first
		s.first = nil
		return batch, nil
	}
	return s.rows.Next(ctx)
}

func replaceSchemaAndWriteBatch(out *ipc.Writer, schema *arrow.Schema, batch arrow.RecordBatch) error {
	defer batch.Release()
	described := array.NewRecordBatch(schema, batch.Columns(), batch.NumRows())
	defer described.Release()
	return out.Write(described)
}

// addSchemaMetadata adds to the metadata of the schema; keys are sorted, so that equal results have
// equal bytes.
func addSchemaMetadata(schema *arrow.Schema, metadata map[string]string) *arrow.Schema {
	all := schema.Metadata().ToMap()
	maps.Copy(all, metadata)
	keys := slices.Sorted(maps.Keys(all))
	values := make([]string, len(keys))
	for i, k := range keys {
		values[i] = all[k]
	}
	merged := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(schema.Fields(), &merged)
}
