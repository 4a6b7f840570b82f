package duckdb

import (
	"context"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/batchbuilder"
	"github.com/semlayer/semlayer/executor/internal/batchsize"
	"github.com/semlayer/semlayer/executor/internal/cursor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

type rows struct {
	cursor.Rows
	owner   *Executor
	conn    *connection
	sql     string
	begun   time.Time
	stmt    statement
	schema  *arrow.Schema
	columns []column
	sizer   batchsize.Sizer
}

func (r *rows) start(ctx context.Context) error {
	if err := r.stmt.begin(r.conn, r.sql); err != nil {
		return r.failureWithReason(ctx, err)
	}
	schema, columns, err := describe(&r.stmt.result)
	if err != nil {
		r.conn.spent = true
		return err
	}
	r.schema, r.columns = schema, columns
	r.sizer = batchsize.New(1)
	return nil
}

func (r *rows) Schema() *arrow.Schema { return r.schema }

// Fetch reads the next batch. See cursor.Statement.
func (r *rows) Fetch(ctx context.Context) (arrow.RecordBatch, error) {
	count := 0
	err := r.conn.run(ctx, func() (err error) {
		if count, err = r.fillBatch(); err != nil {
			err = r.failureWithReason(ctx, err)
		}
		return err
	})
	if err != nil || count == 0 {
		return nil, err
	}
	r.sizer.Grow(count)
	batch := r.batch(count)
	return batch, batchbuilder.CheckText(batch)
}

// fillBatch copies chunks into the columns until a batch is worth handing out.
func (r *rows) fillBatch() (count int, err error) {
	r.sizer.Start()
	for bytes := 0; !r.sizer.Full(count, bytes); {
		chunk, err := r.stmt.fetch()
		if err != nil || chunk == nil {
			return count, err
		}
		n := int(bindings.DataChunkGetSize(*chunk))
		bytes, err = r.copyChunk(*chunk, n)
		bindings.DestroyDataChunk(chunk)
		if err != nil {
			return count, err
		}
		count += n
	}
	return count, nil
}

// failureWithReason is the error of a statement that is over, with its reason.
func (r *rows) failureWithReason(ctx context.Context, err error) error {
	r.stmt.destroy() // a connection carries one statement at a time
	if isInterrupted(err) {
		err = r.conn.findReason(ctx, r.sql, err)
	}
	return r.conn.explain(err)
}

func (r *rows) copyChunk(chunk bindings.DataChunk, n int) (bytes int, err error) {
	for i, col := range r.columns {
		if err := col.append(newVector(bindings.DataChunkGetVector(chunk, bindings.IdxT(i))), n, r.sizer.ExpectedRows()); err != nil {
			return 0, execerr.Driver("column "+r.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += col.size()
	}
	return bytes, nil
}

func (r *rows) batch(count int) arrow.RecordBatch {
	arrays := make([]arrow.Array, len(r.columns))
	for i, col := range r.columns {
		arrays[i] = col.finish()
	}
	batch := array.NewRecordBatch(r.schema, arrays, int64(count))
	for _, a := range arrays {
		a.Release()
	}
	return batch
}

// End interrupts a statement that has not ended by itself. See cursor.Statement.
func (r *rows) End(_ context.Context, err error) {
	if err == nil {
		r.owner.fast.recordFast(r.sql, time.Since(r.begun))
	} else {
		r.conn.spent = true
		bindings.Interrupt(r.conn.handle)
	}
	r.end()
}

// end gives up what the statement holds and the connection with it. It is
// called once.
func (r *rows) end() {
	r.stmt.destroy()
	r.columns = nil
	r.owner.release(r.conn)
}
