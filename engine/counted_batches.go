package engine

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
)

// countedBatches are the rows of a statement. They take memory for the batch that their reader has.
type countedBatches struct {
	executor.Rows
	held *memory.Reservation
	base int64 // bytes of the statement itself
	kept int64 // base, and bytes of earlier batches that the reader has kept
}

// queryCountingBatches starts a statement whose batches are counted in a part of the memory.
func queryCountingBatches(ctx context.Context, db executor.Executor, sql string, part *memory.Part) (*countedBatches, error) {
	held, err := part.Reserve(0)
	if err != nil {
		return nil, err
	}
	rows, err := db.Query(executor.WithBatchMemory(withCostQuota(ctx), func(bytes int) error { return held.Grow(int64(bytes)) }), sql)
	if err != nil {
		held.Release()
		return nil, err
	}
	return &countedBatches{Rows: rows, held: held, base: held.Bytes(), kept: held.Bytes()}, nil
}

// Next gives back the memory of the batch before, which its reader has released, and returns the next one.
func (r *countedBatches) Next(ctx context.Context) (arrow.RecordBatch, error) {
	r.held.Shrink(r.held.Bytes() - r.kept)
	batch, err := r.Rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.held.Resize(r.kept + executor.BatchBytes(batch)); err != nil {
		batch.Release()
		return nil, err
	}
	return batch, nil
}

// keepBatches counts the batches so far until they are dropped.
func (r *countedBatches) keepBatches() {
	if r != nil {
		r.kept = r.held.Bytes()
	}
}

// dropKeptBatches stops to count batches that were kept.
func (r *countedBatches) dropKeptBatches() {
	if r != nil {
		r.kept = r.base
	}
}

// Close gives all memory back.
func (r *countedBatches) Close() error {
	defer r.held.Release()
	return r.Rows.Close()
}
