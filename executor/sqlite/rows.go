package sqlite

import (
	"context"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// The limits of the rows that are read before the types are decided: their number, their bytes
// and the time. For a column of nulls the first two limits apply, and not the time.
const (
	maxSampleRows  = 65536
	maxSampleBytes = 16 << 20
	maxSampleTime  = time.Second
)

type resultRows struct {
	driver.Rows
	owner *Executor
	conn  *connection
	stmt  *statement

	schema    *arrow.Schema
	batcher   *driver.BatchBuilder
	appenders []cellAppender
	// sample holds the rows that were read first, cell by cell; at is where the
	// next one of them begins.
	sample []cellValue
	at     int
	// finished reports that the statement has no more rows.
	finished bool
}

func (r *resultRows) startStatement(ctx context.Context, sql string) error {
	var err error
	if r.stmt, err = r.conn.prepareQuery(ctx, sql); err != nil {
		return err
	}
	columns := make([]columnTypeGuess, r.stmt.columnCount())
	for i := range columns {
		columns[i] = columnTypeGuess{name: r.stmt.columnName(i), declared: classifyDeclaredType(r.stmt.declaredType(i))}
	}
	if err := r.sampleColumnTypes(ctx, columns); err != nil {
		return err
	}
	fields := make([]arrow.Field, len(columns))
	types := make([]columnType, len(columns))
	for i := range columns {
		types[i] = columns[i].chooseColumnType(r.finished)
		fields[i] = types[i].arrowField(columns[i].name)
	}
	r.schema = arrow.NewSchema(fields, nil)
	r.batcher = driver.NewBatchBuilder(r.schema)
	r.appenders = make([]cellAppender, len(columns))
	for i, t := range types {
		r.appenders[i] = t.appender(r.batcher.FieldBuilder(i))
	}
	return nil
}

// sampleColumnTypes reads the sample and adds its values to the columns.
func (r *resultRows) sampleColumnTypes(ctx context.Context, columns []columnTypeGuess) error {
	started := time.Now()
	for count, size := 0, 0; count < maxSampleRows && size < maxSampleBytes; count++ {
		if count%256 == 255 && time.Since(started) > maxSampleTime && !hasColumnOfUnknownType(columns) {
			return nil
		}
		more, err := r.stmt.stepToNextRow(ctx)
		if err != nil {
			return err
		}
		if !more {
			r.finished = true
			return nil
		}
		for i := range columns {
			v := r.stmt.cellValueAt(i).copyValue()
			columns[i].addValue(v)
			r.sample = append(r.sample, v)
			size += v.memorySize()
		}
	}
	return nil
}

func hasColumnOfUnknownType(columns []columnTypeGuess) bool {
	for i := range columns {
		if columns[i].isUnknown() {
			return true
		}
	}
	return false
}

func (r *resultRows) Schema() *arrow.Schema { return r.schema }

// Fetch reads the next batch. See driver.Statement.
func (r *resultRows) Fetch(ctx context.Context) (batch arrow.RecordBatch, err error) {
	err = r.conn.runWithContext(ctx, func() (err error) {
		batch, err = r.batcher.BuildNextBatch(func() (int, bool, error) { return r.appendRow(ctx) })
		return err
	})
	return batch, err
}

// appendRow appends the next row to the batch.
func (r *resultRows) appendRow(ctx context.Context) (bytes int, more bool, err error) {
	if r.at < len(r.sample) {
		cells := r.sample[r.at : r.at+len(r.appenders)]
		r.at += len(cells)
		return r.appendCells(func(i int) cellValue { return cells[i] })
	}
	r.sample, r.at = nil, 0
	if r.finished {
		return 0, false, nil
	}
	if more, err = r.stmt.stepToNextRow(ctx); err != nil || !more {
		r.finished = true
		return 0, false, err
	}
	return r.appendCells(r.stmt.cellValueAt)
}

func (r *resultRows) appendCells(cell func(i int) cellValue) (bytes int, more bool, err error) {
	for i, appendTo := range r.appenders {
		v := cell(i)
		if v.class == storageClassNull {
			r.batcher.FieldBuilder(i).AppendNull()
			continue
		}
		if !appendTo(v) {
			return 0, false, r.typeMismatchError(i)
		}
		bytes += v.memorySize()
	}
	return bytes, true, nil
}

// typeMismatchError returns the error for a value whose class differs from all earlier ones.
func (r *resultRows) typeMismatchError(i int) error {
	f := r.schema.Field(i)
	return &executor.Error{
		Code:    executor.CodeDriver,
		Message: "column " + f.Name + " cannot be converted: it began as " + f.Type.String() + " and has other values too",
		Hint:    "declare its type in the model, with a CAST",
	}
}

// EndAndRelease gives up what the statement holds and the connection with it. See
// driver.Statement.
func (r *resultRows) EndAndRelease(context.Context, error) {
	if r.stmt != nil {
		r.stmt.finalize()
	}
	if r.batcher != nil {
		r.batcher.Release()
	}
	r.sample, r.appenders = nil, nil
	r.owner.releaseConnection(r.conn)
}
