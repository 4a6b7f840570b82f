package pgwire

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// statementRows are the rows of a statement, read one by one.
type statementRows interface {
	// next moves to the next row; io.EOF after the last.
	next(ctx context.Context) error
	// encodeCurrentRow appends the values of the row with their lengths, as a DataRow has them.
	encodeCurrentRow(dst []byte) ([]byte, error)
	// encodeCurrentValueAsText appends the text of one value of the row; null where it is NULL.
	encodeCurrentValueAsText(dst []byte, column int) (out []byte, null bool, err error)
	// setFormats gives the values of the next rows other formats, one for each column.
	setFormats(formats []int16) error
	close()
}

// streamRows are the rows of a stream of the engine: one batch at a time.
type streamRows struct {
	stream    *engine.Stream
	stall     func(context.Context) (context.Context, context.CancelFunc) // bounds the wait for a batch
	deadline  time.Time                                                   // of the last row
	announced []Column
	clock     value.Clock // of the texts of instants; nil is UTC
	formats   []int16
	columns   []*value.ColumnEncoder
	batch     arrow.RecordBatch
	row       int
	onClose   func() // nil for nothing
}

// rowsPerAgeCheck is how many rows are sent between two looks at the clock.
const rowsPerAgeCheck = 256

// newStreamRows reads a stream whose columns are announced with types and formats.
func newStreamRows(stream *engine.Stream, announced []Column, formats []int16, clock value.Clock, stall func(context.Context) (context.Context, context.CancelFunc), maxAge time.Duration) (*streamRows, error) {
	out := &streamRows{stream: stream, announced: announced, clock: clock, stall: stall, deadline: time.Now().Add(maxAge)}
	if err := out.setFormats(formats); err != nil {
		return nil, errors.Join(err, stream.Close())
	}
	return out, nil
}

func (r *streamRows) setFormats(formats []int16) error {
	if r.columns != nil && slices.Equal(r.formats, formats) {
		return nil
	}
	r.formats, r.columns = formats, nil
	for i, f := range r.stream.Schema().Fields() {
		c, err := value.NewColumnEncoder(f, r.announced[i].Type, formats[i], r.clock)
		if err != nil {
			return err
		}
		if r.batch != nil {
			c.BindArray(r.batch.Column(i))
		}
		r.columns = append(r.columns, c)
	}
	return nil
}

func (r *streamRows) next(ctx context.Context) error {
	r.row++
	if r.row%rowsPerAgeCheck == 0 && time.Now().After(r.deadline) {
		return errStreamTooOld
	}
	if r.batch != nil && int64(r.row) < r.batch.NumRows() {
		return nil
	}
	r.releaseBatch()
	ctx, cancel := r.stall(ctx)
	defer cancel()
	ctx, stop := context.WithDeadline(ctx, r.deadline)
	defer stop()
	batch, err := r.stream.NextBatch(ctx)
	if err != nil && !errors.Is(err, io.EOF) && time.Now().After(r.deadline) {
		return errStreamTooOld
	}
	if err != nil {
		return err
	}
	r.batch, r.row = batch, 0
	for i, c := range r.columns {
		c.BindArray(batch.Column(i))
	}
	return nil
}

func (r *streamRows) encodeCurrentRow(dst []byte) ([]byte, error) {
	var err error
	for _, c := range r.columns {
		if dst, err = c.AppendWithLength(dst, r.row); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (r *streamRows) encodeCurrentValueAsText(dst []byte, column int) ([]byte, bool, error) {
	c := r.columns[column]
	if c.IsNull(r.row) {
		return dst, true, nil
	}
	dst, err := c.AppendValue(dst, r.row)
	return dst, false, err
}

func (r *streamRows) releaseBatch() {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
}

func (r *streamRows) close() {
	r.releaseBatch()
	_ = r.stream.Close() // its error was that of next, or no client reads it
	if r.onClose != nil {
		r.onClose()
	}
}

// errStreamTooOld ends a stream that has taken its slot for too long.
var errStreamTooOld = &sessionError{state: sqlstateQueryCanceled, code: "timeout", message: "the rows were not read within the time limit of a stream"}

// inMemoryRows are rows in memory: of the catalogue, of SHOW and of EXPLAIN.
type inMemoryRows struct {
	columns []Column
	formats []int16
	clock   value.Clock // of the texts of instants; nil is UTC
	rows    [][]any
	row     int
	release func() // gives back the memory of the rows; nil where none is counted
}

func newInMemoryRows(columns []Column, formats []int16, clock value.Clock, list [][]any) *inMemoryRows {
	return &inMemoryRows{columns: columns, formats: formats, clock: clock, rows: list, row: -1}
}

func (r *inMemoryRows) next(context.Context) error {
	if r.row++; r.row >= len(r.rows) {
		return io.EOF
	}
	return nil
}

func (r *inMemoryRows) encodeCurrentRow(dst []byte) ([]byte, error) {
	var err error
	for i := range r.rows[r.row] {
		v := r.currentValue(i, r.formats[i])
		if dst, err = value.AppendAnyWithLength(dst, r.columns[i].Type, r.formats[i], v); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// currentValue returns a value of the current row. The text of an instant is as the clock shows it.
func (r *inMemoryRows) currentValue(column int, format int16) any {
	v := r.rows[r.row][column]
	if text, ok := v.(string); ok && r.clock != nil && format == value.TextFormat && r.columns[column].Type == value.TimestampTZOID {
		return value.InstantTextOnClock(text, r.clock)
	}
	return v
}

func (r *inMemoryRows) encodeCurrentValueAsText(dst []byte, column int) ([]byte, bool, error) {
	v := r.currentValue(column, value.TextFormat)
	if v == nil {
		return dst, true, nil
	}
	dst, err := value.AppendAnyNonNull(dst, r.columns[column].Type, value.TextFormat, v)
	return dst, false, err
}

func (r *inMemoryRows) setFormats(formats []int16) error {
	r.formats = formats
	return nil
}

func (r *inMemoryRows) close() {
	r.rows = nil
	if r.release != nil {
		r.release()
	}
}

// appendDataRow appends the message of a row.
func appendDataRow(dst []byte, r statementRows, columns int) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 'D', 0, 0, 0, 0)
	dst = binary.BigEndian.AppendUint16(dst, uint16(columns))
	dst, err := r.encodeCurrentRow(dst)
	if err != nil {
		return dst[:start], err
	}
	binary.BigEndian.PutUint32(dst[start+1:], uint32(len(dst)-start-1))
	return dst, nil
}
