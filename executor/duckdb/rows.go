package duckdb

import (
	"context"
	"errors"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

type resultRows struct {
	driver.Rows
	owner   *Executor
	conn    *connection
	sql     string
	begun   time.Time
	stmt    runningStatement
	schema  *arrow.Schema
	columns []columnBuilder
	sizer   driver.BatchSizer
}

func (r *resultRows) startStatement(ctx context.Context) error {
	if err := r.stmt.prepareAndStartSelect(r.conn, r.sql); err != nil {
		return r.diagnoseStatementFailure(ctx, err)
	}
	schema, columns, err := newColumnBuildersForResult(&r.stmt.result)
	if err != nil {
		r.conn.spent = true
		return err
	}
	r.schema, r.columns = schema, columns
	for _, col := range columns {
		if c, ok := col.(interface {
			limitMemory(chunkBytes int, grow func(bytes int) error)
		}); ok {
			c.limitMemory(r.owner.options.MaxChunkBytes, executor.BatchMemory(ctx))
		}
	}
	r.sizer = driver.NewBatchSizer(1)
	return nil
}

func (r *resultRows) Schema() *arrow.Schema { return r.schema }

// Fetch reads the next batch. See driver.Statement.
func (r *resultRows) Fetch(ctx context.Context) (arrow.RecordBatch, error) {
	count := 0
	err := r.conn.runWithContext(ctx, func() (err error) {
		if count, err = r.fillBatch(); err != nil {
			err = r.diagnoseStatementFailure(ctx, err)
		}
		return err
	})
	if err != nil || count == 0 {
		return nil, err
	}
	r.sizer.RaiseRowTarget(count)
	batch := r.newBatch(count)
	return batch, driver.CheckUTF8(batch)
}

// fillBatch copies chunks into the columns until a batch is worth handing out.
func (r *resultRows) fillBatch() (count int, err error) {
	r.sizer.StartBatch()
	for bytes := 0; !r.sizer.IsFull(count, bytes); {
		chunk, err := r.stmt.fetchChunk()
		if err != nil || chunk == nil {
			return count, err
		}
		n := int(bindings.DataChunkGetSize(*chunk))
		bytes, err = r.copyChunk(*chunk, n, bytes)
		bindings.DestroyDataChunk(chunk)
		if err != nil {
			return count, err
		}
		count += n
	}
	return count, nil
}

// diagnoseStatementFailure returns the error of a statement that is over, with its reason.
func (r *resultRows) diagnoseStatementFailure(ctx context.Context, err error) error {
	r.stmt.destroy() // a connection carries one statement at a time
	if isInterruptError(err) {
		err = r.conn.findErrorByRerun(ctx, r.sql, err)
	}
	return r.conn.explainDataFileError(r.sql, err)
}

// copyChunk copies the n rows of a chunk behind the rows of the batch, which take before bytes.
func (r *resultRows) copyChunk(chunk bindings.DataChunk, n, before int) (bytes int, err error) {
	most := r.owner.options.MaxChunkBytes
	for i, col := range r.columns {
		if err := col.appendVector(newVector(bindings.DataChunkGetVector(chunk, bindings.IdxT(i))), n, r.sizer.ExpectedRows()); err != nil {
			var full batchMemoryError
			if errors.As(err, &full) {
				return 0, full.error
			}
			return 0, driver.DriverFailureError("column "+r.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		if bytes += col.sizeInBytes(); most > 0 && bytes-before > most {
			return 0, driver.DriverFailureError(ErrRowsTooWide.Error(), ErrRowsTooWide)
		}
	}
	return bytes, nil
}

func (r *resultRows) newBatch(count int) arrow.RecordBatch {
	arrays := make([]arrow.Array, len(r.columns))
	for i, col := range r.columns {
		arrays[i] = col.buildArray()
	}
	batch := array.NewRecordBatch(r.schema, arrays, int64(count))
	for _, a := range arrays {
		a.Release()
	}
	return batch
}

// EndAndRelease interrupts a statement that has not ended by itself. See driver.Statement.
func (r *resultRows) EndAndRelease(_ context.Context, err error) {
	if err == nil {
		r.owner.fast.recordIfFast(r.sql, time.Since(r.begun))
	} else {
		r.conn.spent = true
		bindings.Interrupt(r.conn.handle)
	}
	r.releaseStatement()
}

// releaseStatement gives up what the statement holds and the connection with it. It is
// called once.
func (r *resultRows) releaseStatement() {
	r.stmt.destroy()
	r.columns = nil
	r.owner.releaseConnection(r.conn)
}
