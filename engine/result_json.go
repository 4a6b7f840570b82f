package engine

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// Result is the result of an execution.
type Result struct {
	Dialect string
	SQL     string
	Columns []string
	// Formats are those of the columns; nil where no column has one. The wire form does not hold them.
	Formats []ColumnFormat
	// Datatypes are the logical types of the columns (String, Integer, Decimal, Float, Boolean, Date, Time, DateTime,
	// DateTimeTz), "" where the type is not known. The wire form does not hold them.
	Datatypes []string
	// GroupColumns are the columns by which the rows of a metric query differ, if no order is given; nil for other rows. The
	// wire form does not hold them.
	GroupColumns []int
	// Rows is a JSON array of objects keyed by column name, in column order.
	Rows     json.RawMessage
	RowCount int
	// Limit is the limit that applied: that of the query, the default of detail
	// queries, or their maximum; nil if the rows are not limited.
	Limit *int64
	// TotalRows is how many of the rows are those of totals, which the limit does not count.
	TotalRows int
	// AllRows is the number of rows without limit and offset, those of totals apart; nil where the query does not ask for it. The wire
	// form names it total_rows.
	AllRows *int64
	ResultEnd

	// body is the result as JSON if it was written there; Rows is then a part of it.
	body []byte
	// countsOwnRows: AllRows is the number of the rows themselves.
	countsOwnRows bool
}

// ReachedLimit reports whether the result has as many rows, those of totals apart, as its limit, so that there may
// be more.
func (r *Result) ReachedLimit() bool {
	return r.Limit != nil && int64(r.RowCount-r.TotalRows) == *r.Limit
}

// Body returns the result as JSON. The slice may share its memory with Rows, so the
// caller must not change it. The result of an engine is not copied.
func (r *Result) Body() ([]byte, error) {
	if r.body != nil {
		return r.body, nil
	}
	return r.AppendJSON(nil)
}

// AppendJSON appends the wire form of the result.
func (r *Result) AppendJSON(dst []byte) ([]byte, error) {
	if r.body != nil {
		return append(dst, r.body...), nil
	}
	head, err := r.jsonBeforeRows()
	if err != nil {
		return dst, err
	}
	tail, err := r.jsonAfterRowCount()
	if err != nil {
		return dst, err
	}
	return append(r.appendRowCount(append(append(dst, head...), r.Rows...)), tail...), nil
}

// MarshalJSON writes the wire form.
func (r *Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// jsonBeforeRows returns the JSON before the rows.
func (r *Result) jsonBeforeRows() ([]byte, error) {
	head, err := MarshalWireJSON(struct {
		Dialect string   `json:"dialect"`
		SQL     string   `json:"sql"`
		Columns []string `json:"columns"`
	}{r.Dialect, r.SQL, r.Columns})
	if err != nil {
		return nil, err
	}
	return append(head[:len(head)-1], `,"rows":`...), nil
}

// rowCountReserveBytes is the space for the numbers of rows and the marks that they are limited.
const rowCountReserveBytes = 112

// appendRowCount appends the number of rows, the limit and the number of all rows, as far as the result has them.
func (r *Result) appendRowCount(dst []byte) []byte {
	dst = append(dst, `,"row_count":`...)
	dst = strconv.AppendInt(dst, int64(r.RowCount), 10)
	if r.Limit != nil {
		dst = append(dst, `,"limit":`...)
		dst = strconv.AppendInt(dst, *r.Limit, 10)
		if r.ReachedLimit() {
			dst = append(dst, `,"limited":true`...)
		}
	}
	if r.AllRows != nil {
		dst = append(dst, `,"total_rows":`...)
		dst = strconv.AppendInt(dst, *r.AllRows, 10)
	}
	return dst
}

// jsonAfterRowCount returns the JSON after the number of rows.
func (r *Result) jsonAfterRowCount() ([]byte, error) {
	tail, err := MarshalWireJSON(r.ResultEnd)
	if err != nil {
		return nil, err
	}
	if len(tail) == len("{}") {
		return tail[1:], nil
	}
	tail[0] = ','
	return tail, nil
}

// readRowsIntoBody writes the rows into the body of the result, whose bytes it takes of a part of the memory.
func (r *Result) readRowsIntoBody(ctx context.Context, rows executor.Rows, hints jsonrows.TypeHints, limit int, results *memory.Part) error {
	if done, err := r.readFirstRows(ctx, rows, hints); done {
		return err
	}
	head, err := r.jsonBeforeRows()
	if err != nil {
		return err
	}
	tail, err := r.jsonAfterRowCount()
	if err != nil {
		return err
	}
	held, err := results.Reserve(int64(len(head)))
	if err != nil {
		return err
	}
	body, count, err := jsonrows.AppendAllRows(ctx, head, rows, hints, jsonrows.TextBounds{
		Bytes: limit, Room: rowCountReserveBytes + len(tail), Grow: func(bytes int) error { return held.Grow(int64(bytes)) },
	})
	if err != nil {
		held.Release()
		return err
	}
	held.Shrink(held.Bytes() - int64(cap(body)))
	memory.KeepForResponse(ctx, held)
	r.Rows = body[len(head):len(body):len(body)]
	r.setRowCounts(count, totalsRowCount(rows))
	r.body = append(r.appendRowCount(body), tail...)
	return nil
}

type firstRowsContextKey struct{}

// WithFirstRowsLimit returns a context under which an execution keeps the first rows of its
// result only, as many as fit in the bytes. RowCount stays the number of all of them.
func WithFirstRowsLimit(ctx context.Context, rows, bytes int) context.Context {
	return context.WithValue(ctx, firstRowsContextKey{}, jsonrows.WrittenRowsAndBytesLimit{Rows: rows, Bytes: bytes})
}

// readFirstRows reads the first rows alone where ctx needs no more, and reports whether it
// does.
func (r *Result) readFirstRows(ctx context.Context, rows executor.Rows, hints jsonrows.TypeHints) (bool, error) {
	most, ok := ctx.Value(firstRowsContextKey{}).(jsonrows.WrittenRowsAndBytesLimit)
	if !ok {
		return false, nil
	}
	text, count, err := jsonrows.AppendFirstRows(ctx, nil, rows, hints, most)
	r.Rows = text
	r.setRowCounts(count, totalsRowCount(rows))
	return true, err
}
