package clickhouse

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	// connectionCutDelay is how long a statement may continue after it was killed before its
	// connection is cut.
	connectionCutDelay = 300 * time.Millisecond
	readBufferSize     = 256 << 10
)

type resultRows struct {
	driver.Rows
	owner   *Executor
	queryID string
	// statement is the context of the running request. Ending it cuts the
	// connection.
	statement context.Context
	cut       context.CancelFunc

	body    io.ReadCloser
	stream  *arrowMessageStream
	reader  *ipc.Reader
	schema  *arrow.Schema
	columns []columnConverter

	// killed reports whether the server got a KILL QUERY.
	killed bool
}

func newUnstartedRows(ctx context.Context, e *Executor) *resultRows {
	r := &resultRows{owner: e, queryID: newQueryID()}
	r.SetStatement(r)
	r.statement, r.cut = context.WithCancel(context.WithoutCancel(ctx))
	return r
}

// runWithContext makes one blocking call and ends the statement when ctx ends. A call that
// ends together with its context counts as cut short.
func (r *resultRows) runWithContext(ctx context.Context, call func() error) error {
	stopped, err := driver.RunCall(ctx, call, func(returned <-chan struct{}) { r.stopStatement(ctx, returned) })
	r.killed = r.killed || stopped
	return err
}

// stopStatement ends the statement: politely, then not.
func (r *resultRows) stopStatement(ctx context.Context, returned <-chan struct{}) {
	r.owner.killStatement(ctx, r.queryID)
	select {
	case <-returned:
	case <-time.After(connectionCutDelay):
		r.cut()
		<-returned
	}
}

func (r *resultRows) startStatement(text string) error {
	e := r.owner
	var err error
	settings := e.querySettings(r.queryID, "ArrowStream")
	if tag := driver.NextStatementTag(r.statement); tag != "" {
		settings.Set("log_comment", tag)
	}
	if r.body, err = e.sendWithSupportedSettings(r.statement, settings, text); err != nil {
		return err
	}
	r.stream = &arrowMessageStream{body: bufio.NewReaderSize(r.body, readBufferSize), fail: e.classifyStreamEnd}
	if r.reader, err = ipc.NewReader(r.stream); err != nil {
		return r.preferStreamError(err)
	}
	fields := r.reader.Schema().Fields()
	var types []string
	if hasAmbiguousArrowType(fields) {
		if types, err = e.describeColumns(r.statement, text); err != nil {
			return err
		}
		if len(types) != len(fields) {
			return driver.DriverFailureError("the warehouse describes and sends different numbers of columns", nil)
		}
	}
	r.columns = make([]columnConverter, len(fields))
	out := make([]arrow.Field, len(fields))
	for i, f := range fields {
		name := ""
		if types != nil {
			name = types[i]
		}
		if r.columns[i], err = chooseColumnConverter(f, name); err != nil {
			return cannotConvertColumnError(f.Name, err)
		}
		out[i] = executor.NewField(f.Name, r.columns[i].dt, r.columns[i].kind)
	}
	r.schema = arrow.NewSchema(out, nil)
	return nil
}

// preferStreamError prefers the error of the frames over the error that Arrow's reader derives from it.
func (r *resultRows) preferStreamError(err error) error {
	var own *executor.Error
	switch {
	case r.stream.err != nil && errors.As(r.stream.err, &own):
		return own
	case errors.As(err, &own):
		return own
	}
	// An exception may have taken the place of a message's last bytes.
	if x, ok := parseException(r.stream.readLastMessageAndRest()); ok {
		return r.owner.classifyException(x)
	}
	return driver.DriverFailureError("the warehouse sent no Arrow stream that can be read", err)
}

func cannotConvertColumnError(name string, err error) error {
	return driver.DriverFailureError("column "+name+" cannot be carried: "+err.Error(), err)
}

func (r *resultRows) Schema() *arrow.Schema { return r.schema }

// Fetch reads the next batch. See driver.Statement.
func (r *resultRows) Fetch(ctx context.Context) (batch arrow.RecordBatch, err error) {
	err = r.runWithContext(ctx, func() (err error) {
		batch, err = r.readNonEmptyBatch()
		return err
	})
	return batch, err
}

// readNonEmptyBatch returns the next one with rows, nil at the end.
func (r *resultRows) readNonEmptyBatch() (arrow.RecordBatch, error) {
	for r.reader.Next() {
		in := r.reader.RecordBatch()
		if in.NumRows() > 0 {
			return r.convertBatch(in)
		}
	}
	if err := r.reader.Err(); err != nil {
		return nil, r.preferStreamError(err)
	}
	// Arrow's reader is content without an end marker. Its bytes count here.
	if _, err := r.stream.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("bytes after the end of the stream")
		}
		return nil, r.preferStreamError(err)
	}
	return nil, nil
}

func (r *resultRows) convertBatch(in arrow.RecordBatch) (arrow.RecordBatch, error) {
	if err := driver.CheckUTF8(in); err != nil {
		return nil, err
	}
	arrays := make([]arrow.Array, 0, len(r.columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for i := range r.columns {
		a, err := r.columns[i].convert(in.Column(i))
		if err != nil {
			return nil, cannotConvertColumnError(r.schema.Field(i).Name, err)
		}
		arrays = append(arrays, a)
	}
	out := array.NewRecordBatch(r.schema, arrays, in.NumRows())
	if err := driver.CheckUTF8(out); err != nil { // fixed bytes that became text
		out.Release()
		return nil, err
	}
	return out, nil
}

// EndAndRelease gives the connection back, or up when its statement may still run. See
// driver.Statement.
func (r *resultRows) EndAndRelease(ctx context.Context, _ error) {
	if r.body != nil && !r.stream.hasEnded() && !r.killed {
		r.owner.killStatement(ctx, r.queryID)
	}
	r.cut()
	if r.body != nil {
		_ = r.body.Close()
	}
	if r.reader != nil {
		r.reader.Release()
	}
	r.owner.releaseSlot()
}
