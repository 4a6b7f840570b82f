package engine

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// Schema returns the schema of the batches.
func (s *Stream) Schema() *arrow.Schema { return s.batches.Schema() }

// NextBatch returns the next batch of rows, never an empty one, or io.EOF after the last. It is for callers that
// write no Arrow stream; a stream is read by Write or by NextBatch. The caller releases the batch. The end of ctx ends the statement.
func (s *Stream) NextBatch(ctx context.Context) (batch arrow.RecordBatch, err error) {
	if s.finishError != nil {
		defer func() {
			if panicked := recover(); panicked != nil || err != nil && !errors.Is(err, io.EOF) {
				err = s.finishError(ctx, panicked, err)
				s.outcome.Err = err
			}
		}()
	}
	batch, err = s.batches.NextBatch(executor.WithAbandonFunc(ctx, s.release))
	if err != nil {
		return nil, err
	}
	s.outcome.Rows += batch.NumRows()
	return batch, nil
}
