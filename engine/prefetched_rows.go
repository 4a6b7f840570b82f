package engine

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner"
)

// prefetchedRows are rows whose first batches can be read before they are requested.
type prefetchedRows struct {
	executor.Rows
	counted *countedBatches // the rows below; nil where no memory is counted for them
	batches []arrow.RecordBatch
	err     error // after the batches: the end of the rows, or a failure
}

// Next returns the next batch.
func (r *prefetchedRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	switch {
	case len(r.batches) > 0:
		b := r.batches[0]
		r.batches = r.batches[1:]
		return b, nil
	case r.err != nil:
		return nil, r.err
	}
	r.counted.dropKeptBatches()
	return r.Rows.Next(ctx)
}

// Close frees the batches that were not requested.
func (r *prefetchedRows) Close() error {
	for _, b := range r.batches {
		b.Release()
	}
	r.batches = nil
	return r.Rows.Close()
}

// maxEmptinessCheckBatches bounds the batches of totals that are read in search of another row.
const maxEmptinessCheckBatches = 64

// isEmpty reads ahead as far as it must to report what Result.isEmpty reports. It frees the connection of rows that
// have ended.
func (r *prefetchedRows) isEmpty(ctx context.Context, c *compiledQuery) bool {
	level := slices.IndexFunc(c.columns, func(o planner.OutputColumn) bool { return c.level != "" && o.Name == c.level })
	isTotal := !slices.ContainsFunc(c.columns, func(o planner.OutputColumn) bool { return o.Metric == "" })
	counted := 0
	for len(r.batches) < maxEmptinessCheckBatches {
		b, err := r.Rows.Next(ctx)
		if err != nil {
			r.err = err
			return errors.Is(err, io.EOF) && r.Rows.Close() == nil
		}
		r.batches = append(r.batches, b)
		r.counted.keepBatches()
		for row := range int(b.NumRows()) {
			if level >= 0 && b.Column(level).ValueStr(row) != "0" {
				continue
			}
			if counted++; counted > 1 || !isTotal || !isZeroRow(b, row) {
				return false
			}
		}
	}
	return false
}

// isZeroRow reports whether all values of a row are null or 0.
func isZeroRow(b arrow.RecordBatch, row int) bool {
	return !slices.ContainsFunc(b.Columns(), func(values arrow.Array) bool { return !values.IsNull(row) && !isZeroNumberText(values.ValueStr(row)) })
}
