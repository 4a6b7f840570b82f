package engine

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// Result is the answer to an execution.
type Result struct {
	Dialect string
	SQL     string
	Columns []string
	// Rows is a JSON array of objects keyed by column name, in column order.
	Rows     json.RawMessage
	RowCount int

	// body is the wire form of an answer that was written into it, Rows being a
	// part of it.
	body []byte
}

// Body returns the wire form of the result, which may be the memory that Rows is
// in: it is to be read only. An answer of an engine is not copied for it.
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
	head, err := r.head()
	if err != nil {
		return dst, err
	}
	return r.appendTail(append(append(dst, head...), r.Rows...)), nil
}

// MarshalJSON writes the wire form.
func (r *Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// head is what stands before the rows.
func (r *Result) head() ([]byte, error) {
	head, err := MarshalWire(struct {
		Dialect string   `json:"dialect"`
		SQL     string   `json:"sql"`
		Columns []string `json:"columns"`
	}{r.Dialect, r.SQL, r.Columns})
	if err != nil {
		return nil, err
	}
	return append(head[:len(head)-1], `,"rows":`...), nil
}

// tailSize is room for what stands behind the rows.
const tailSize = 40

func (r *Result) appendTail(dst []byte) []byte {
	dst = append(dst, `,"row_count":`...)
	dst = strconv.AppendInt(dst, int64(r.RowCount), 10)
	return append(dst, '}')
}

// read writes the rows into the body of the answer.
func (r *Result) read(ctx context.Context, rows executor.Rows, hints jsonrows.Hints, limit int) error {
	head, err := r.head()
	if err != nil {
		return err
	}
	body, count, err := jsonrows.Append(ctx, head, rows, hints, limit, tailSize)
	if err != nil {
		return err
	}
	r.Rows, r.RowCount = body[len(head):len(body):len(body)], count
	r.body = r.appendTail(body)
	return nil
}
