package engine

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/coerce"
	"github.com/semlayer/semlayer/executor/resultcache"
)

// ArrowStreamType is the media type of what a Stream writes.
const ArrowStreamType = arrowstream.ContentType

// Rows are the batches of a result, as an executor returns them.
type Rows = executor.Rows

// Stream is the result of an execution, written while the warehouse still computes.
// Its first batch has been read, so a later error is rare. One goroutine at a time may
// use it, and the caller must close it.
type Stream struct {
	Dialect string
	SQL     string
	// Limit is as in a Result.
	Limit *int64
	// AllRows is as in a Result; nil too where the query has neither limit nor offset, because its reader has all rows.
	AllRows *int64
	ResultEnd

	batches     *arrowstream.ResultStream
	totals      *totalsRowCounter                                        // nil where there are none
	finishError func(ctx context.Context, panicked any, err error) error // nil where nothing is to be added
	release     func()
	endPhase    func(PhaseOutcome)
	outcome     PhaseOutcome
	closed      bool
	listed      *listedExecution
	reshape     func(context.Context, executor.Rows) executor.Rows
	kept        resultcache.Rows // the rows as the result cache has them; nil for those of a statement alone
}

// NewStream reads the first batch of rows and returns a stream of them. It is for
// programs that replace an Engine. It owns rows from then on and closes them if it
// fails.
func NewStream(ctx context.Context, dialect, sql string, rows Rows) (*Stream, error) {
	batches, err := arrowstream.NewResultStreamFromRows(ctx, rows)
	if err != nil {
		return nil, err
	}
	return &Stream{Dialect: dialect, SQL: sql, batches: batches, release: func() {}, endPhase: func(PhaseOutcome) {}}, nil
}

// Write writes the whole result as an Arrow IPC stream and returns the number of rows
// written. The metadata of the schema holds dialect and sql, and limit, total_rows
// and the members of ResultEnd if there are any. Write is called once. The end of ctx ends the statement.
//
// After an error the stream has no end-of-stream marker, and the caller must break off
// its transport. The error is a CodedError if the warehouse failed; otherwise it is
// that of w.
func (s *Stream) Write(ctx context.Context, w io.Writer) (rows int64, err error) {
	defer func() { s.outcome = PhaseOutcome{Rows: rows, Err: err} }()
	ctx, leave := s.listed.join(ctx)
	defer leave()
	if s.finishError != nil {
		defer func() { err = s.finishError(ctx, recover(), err) }()
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	metadata, err := s.schemaMetadata()
	if err != nil {
		return 0, err
	}
	return s.batches.Write(executor.WithAbandonFunc(ctx, s.release), w, metadata)
}

// TotalsRowCount returns how many of the written rows are those of totals, which the limit does not
// count.
func (s *Stream) TotalsRowCount() int {
	if s.totals == nil {
		return 0
	}
	return s.totals.count
}

// schemaMetadata returns the metadata of the Arrow schema.
func (s *Stream) schemaMetadata() (map[string]string, error) {
	out := map[string]string{"dialect": s.Dialect, "sql": s.SQL}
	if s.Limit != nil {
		out["limit"] = strconv.FormatInt(*s.Limit, 10)
	}
	if s.AllRows != nil {
		out["total_rows"] = strconv.FormatInt(*s.AllRows, 10)
	}
	return out, s.addToMetadata(out)
}

// Close ends the statement if it still runs and releases the slot.
func (s *Stream) Close() error {
	defer s.listed.end()
	defer s.release()
	if !s.closed {
		s.closed = true
		defer func() { s.endPhase(s.outcome) }()
	}
	return s.batches.Close()
}

// startStream opens a stream in an execution slot. It returns when the first batch has
// arrived or when ctx ends; a stream that arrives too late is closed.
func (e *Engine) startStream(ctx context.Context, c *compiledQuery, find emptyResultProbesFinder) (*Stream, error) {
	ctx, cancel := c.target.withConnectionTimeout(withRowQuota(e.withQueryTag(ctx)))
	defer cancel()
	cancelsPromptly := e.cancelsPromptly(c) // before the slot is taken: a panic would lose it
	x := e.listExecution(ctx, c.target)
	ctx = x.context(ctx)
	release, err := e.acquireSlot(ctx, c.target)
	if err != nil {
		x.end()
		return nil, err
	}
	x.run()
	given := executor.WithAbandonFunc(ctx, release)
	if cancelsPromptly {
		return x.endWithStream(e.openStream(given, c, find, release))
	}
	return e.awaitStream(ctx, func() (*Stream, error) { return x.endWithStream(e.openStream(given, c, find, release)) })
}

// awaitStream opens a stream in a goroutine. It returns when the stream is open or when ctx ends; a stream that arrives too late is closed.
func (e *Engine) awaitStream(ctx context.Context, open func() (*Stream, error)) (*Stream, error) {
	type answer struct {
		stream *Stream
		err    error
	}
	taken := make(chan answer) // unbuffered: either side may find that ctx has ended
	go func() {
		s, err := open()
		select {
		case taken <- answer{s, err}:
		case <-ctx.Done():
			if err == nil {
				_ = s.Close() // no caller is left to receive the error
			}
		}
	}()
	select {
	case a := <-taken:
		return a.stream, a.err
	case <-ctx.Done():
		return nil, e.toExecuteError(ctx, ctx.Err())
	}
}

// endWithStream ends a listed execution when its stream is closed, or at once where none was opened.
func (x *listedExecution) endWithStream(s *Stream, err error) (*Stream, error) {
	if err != nil {
		x.end()
	} else {
		s.listed = x
	}
	return s, err
}

// openStream opens a stream, which releases the slot when it is closed. If openStream
// fails, it has released the slot.
func (e *Engine) openStream(ctx context.Context, c *compiledQuery, find emptyResultProbesFinder, release func()) (s *Stream, err error) {
	defer func() {
		if err != nil {
			s = nil
			release()
		}
	}()
	defer e.recoverToError(&err) // panics of an observer
	if c, err = e.countInSlot(ctx, c); err != nil {
		return nil, err
	}
	ctx, end := startPhase(ctx, PhaseExecute, c.target)
	defer func() {
		if err != nil {
			end(PhaseOutcome{Err: err})
		}
	}()
	defer e.recoverToError(&err) // and of a driver
	rows, err := e.openStatement(ctx, c)
	if err != nil {
		return nil, err
	}
	s, empty, err := e.newStreamOfRows(ctx, c, rows, find != nil)
	if err != nil {
		return nil, err
	}
	s.release, s.endPhase = release, end
	if empty {
		e.addEmptyStreamHints(ctx, s, c, find)
	}
	return s, nil
}

// newStreamOfRows returns the stream of a statement's rows, which it owns. Where that is wanted, it reads ahead to report whether the
// result is empty.
func (e *Engine) newStreamOfRows(ctx context.Context, c *compiledQuery, rows executor.Rows, wantsEmpty bool) (s *Stream, empty bool, err error) {
	shaped := shapeRows(ctx, c, rows)
	totals, _ := shaped.(*totalsRowCounter)
	shaped = coerce.CoerceRows(shaped, columnTypeHints(c.columns))
	if wantsEmpty {
		counted, _ := rows.(*countedBatches)
		ahead := &prefetchedRows{counted: counted, Rows: shaped}
		shaped, empty = ahead, ahead.isEmpty(ctx, c)
	}
	s, err = NewStream(ctx, c.target.dialect.Name(), c.shownSQL(), shaped)
	if err != nil {
		return nil, false, e.toExecuteError(ctx, err)
	}
	s.Limit, s.AllRows, s.ResultEnd = c.limit, c.allRows, c.end
	s.totals, s.finishError = totals, e.toStreamError
	s.reshape = func(ctx context.Context, rows executor.Rows) executor.Rows {
		return coerce.CoerceRows(shapeRows(ctx, c, rows), columnTypeHints(c.columns))
	}
	return s, empty, nil
}

// toStreamError turns a panic into an error and gives failures of the warehouse their
// code. It returns an error of the receiver of the stream unchanged: it is not an
// internal error.
func (e *Engine) toStreamError(ctx context.Context, panicked any, err error) error {
	if panicked != nil {
		return e.panicError(panicked)
	}
	var coded CodedError
	if err != nil && (ctx.Err() != nil || errors.As(err, &coded)) {
		return e.toExecuteError(ctx, err)
	}
	return err
}

// Schema returns the schema of the batches.
func (s *Stream) Schema() *arrow.Schema { return s.batches.Schema() }

// NextBatch returns the next batch of rows, never an empty one, or io.EOF after the last. It is for callers that
// write no Arrow stream; a stream is read by Write or by NextBatch. The caller releases the batch. The end of ctx ends the statement.
func (s *Stream) NextBatch(ctx context.Context) (batch arrow.RecordBatch, err error) {
	ctx, leave := s.listed.join(ctx)
	defer leave()
	if s.finishError != nil {
		defer func() {
			if panicked := recover(); panicked != nil || err != nil && !errors.Is(err, io.EOF) {
				err = s.finishError(ctx, panicked, err)
				s.outcome.Err = err
			}
		}()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	batch, err = s.batches.NextBatch(executor.WithAbandonFunc(ctx, s.release))
	if err != nil {
		return nil, err
	}
	s.outcome.Rows += batch.NumRows()
	return batch, nil
}
