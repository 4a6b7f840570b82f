package engine

import (
	"encoding/json"
	"strconv"
)

// Result is the answer to an execution.
type Result struct {
	Dialect string
	SQL     string
	Columns []string
	// Rows is a JSON array of objects keyed by column name, in column order.
	Rows     json.RawMessage
	RowCount int
}

// AppendJSON appends the wire form of the result. It copies the rows as they
// are: they were written for the wire in the first place.
func (r *Result) AppendJSON(dst []byte) ([]byte, error) {
	head, err := MarshalWire(struct {
		Dialect string   `json:"dialect"`
		SQL     string   `json:"sql"`
		Columns []string `json:"columns"`
	}{r.Dialect, r.SQL, r.Columns})
	if err != nil {
		return dst, err
	}
	dst = append(dst, head[:len(head)-1]...)
	dst = append(dst, `,"rows":`...)
	dst = append(dst, r.Rows...)
	dst = append(dst, `,"row_count":`...)
	dst = strconv.AppendInt(dst, int64(r.RowCount), 10)
	return append(dst, '}'), nil
}

// MarshalJSON writes the wire form.
func (r *Result) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }
