package executor

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// ReadBatches hands each batch of rows to read, up to the first error, and releases it then. It leaves the rows open.
func ReadBatches(ctx context.Context, rows Rows, read func(arrow.RecordBatch) error) error {
	for {
		batch, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = read(batch)
		batch.Release()
		if err != nil {
			return err
		}
	}
}
