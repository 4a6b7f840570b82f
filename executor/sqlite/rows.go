package sqlite

import (
	"context"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/batchbuilder"
	"github.com/semlayer/semlayer/executor/internal/cursor"
)

// The limits of the rows that are read before the types are decided: their number, their bytes
// and the time. For a column of nulls the first two limits apply, and not the time.
const (
	sampleRows  = 65536
	sampleBytes = 16 << 20
	sampleTime  = time.Second
)

type rows struct {
	cursor.Rows
	owner *Executor
	conn  *connection
	stmt  *statement

	schema    *arrow.Schema
	batcher   *batchbuilder.Batcher
	appenders []appender
	// sample holds the rows that were read first, cell by cell; at is where the
	// next one of them begins.
	sample []value
	at     int
	// finished reports that the statement has no more rows.
	finished bool
}

func (r *rows) start(ctx context.Context, sql string) error {
	var err error
	if r.stmt, err = r.conn.prepare(ctx, sql); err != nil {
		return err
	}
	columns := make([]column, r.stmt.columns())
	for i := range columns {
		columns[i] = column{name: r.stmt.name(i), declared: readDeclaration(r.stmt.declared(i))}
	}
	if err := r.sampleTypes(ctx, columns); err != nil {
		return err
	}
	fields := make([]arrow.Field, len(columns))
	types := make([]columnType, len(columns))
	for i := range columns {
		types[i] = columns[i].chooseType(r.finished)
		fields[i] = types[i].field(columns[i].name)
	}
	r.schema = arrow.NewSchema(fields, nil)
	r.batcher = batchbuilder.New(r.schema)
	r.appenders = make([]appender, len(columns))
	for i, t := range types {
		r.appenders[i] = t.appender(r.batcher.Field(i))
	}
	return nil
}

// sampleTypes reads the sample and adds its values to the columns.
func (r *rows) sampleTypes(ctx context.Context, columns []column) error {
	started := time.Now()
	for count, size := 0, 0; count < sampleRows && size < sampleBytes; count++ {
		if count%256 == 255 && time.Since(started) > sampleTime && !hasUnknownColumn(columns) {
			return nil
		}
		more, err := r.stmt.step(ctx)
		if err != nil {
			return err
		}
		if !more {
			r.finished = true
			return nil
		}
		for i := range columns {
			v := r.stmt.value(i).kept()
			columns[i].observe(v)
			r.sample = append(r.sample, v)
			size += v.size()
		}
	}
	return nil
}

func hasUnknownColumn(columns []column) bool {
	for i := range columns {
		if columns[i].isUnknown() {
			return true
		}
	}
	return false
}

func (r *rows) Schema() *arrow.Schema { return r.schema }

// Fetch reads the next batch. See cursor.Statement.
func (r *rows) Fetch(ctx context.Context) (batch arrow.RecordBatch, err error) {
	err = r.conn.run(ctx, func() (err error) {
		batch, err = r.batcher.Fill(func() (int, bool, error) { return r.row(ctx) })
		return err
	})
	return batch, err
}

// row appends the next row to the batch.
func (r *rows) row(ctx context.Context) (bytes int, more bool, err error) {
	if r.at < len(r.sample) {
		cells := r.sample[r.at : r.at+len(r.appenders)]
		r.at += len(cells)
		return r.add(func(i int) value { return cells[i] })
	}
	r.sample, r.at = nil, 0
	if r.finished {
		return 0, false, nil
	}
	if more, err = r.stmt.step(ctx); err != nil || !more {
		r.finished = true
		return 0, false, err
	}
	return r.add(r.stmt.value)
}

func (r *rows) add(cell func(i int) value) (bytes int, more bool, err error) {
	for i, appendTo := range r.appenders {
		v := cell(i)
		if v.class == null {
			r.batcher.Field(i).AppendNull()
			continue
		}
		if !appendTo(v) {
			return 0, false, r.typeMismatch(i)
		}
		bytes += v.size()
	}
	return bytes, true, nil
}

// typeMismatch returns the error for a value whose class differs from all earlier ones.
func (r *rows) typeMismatch(i int) error {
	f := r.schema.Field(i)
	return &executor.Error{
		Code:    executor.CodeDriver,
		Message: "column " + f.Name + " cannot be carried: it began as " + f.Type.String() + " and holds other values too",
		Hint:    "say in the model what it is, with a CAST",
	}
}

// End gives up what the statement holds and the connection with it. See
// cursor.Statement.
func (r *rows) End(context.Context, error) {
	if r.stmt != nil {
		r.stmt.finalize()
	}
	if r.batcher != nil {
		r.batcher.Release()
	}
	r.sample, r.appenders = nil, nil
	r.owner.release(r.conn)
}
