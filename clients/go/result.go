package client

import (
	"errors"
	"fmt"
)

// Compiled is the SQL of a query.
type Compiled struct {
	Dialect string   `json:"dialect"`
	SQL     string   `json:"sql"`
	Outputs []Output `json:"outputs,omitempty"`
	// Warnings are findings about the result.
	Warnings []QueryWarning `json:"warnings,omitempty"`
	Saved    string         `json:"saved,omitempty"` // the saved query in use
}

// QueryWarning is what to know of a query that is answered.
type QueryWarning struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Columns []string `json:"columns,omitempty"` // of the result, where it is about some
}

// Output names the metric that a column holds, with its parameters and time
// range.
type Output struct {
	Column    string         `json:"column"`
	Metric    string         `json:"metric"`
	Params    map[string]any `json:"params,omitempty"`
	TimeRange string         `json:"time_range,omitempty"`
}

// Explained is a logical plan: an indented tree, one node a line.
type Explained struct {
	Plan  string `json:"plan"`
	Saved string `json:"saved,omitempty"` // the saved query in use
}

// Result is the result of a query. It marshals to the JSON from which it was read.
type Result struct {
	Dialect  string   `json:"dialect"`
	SQL      string   `json:"sql"`
	Columns  []string `json:"columns"`
	Rows     []Row    `json:"rows"`
	RowCount int      `json:"row_count"`
	// Limit is the limit that applied; nil where the rows are not limited.
	Limit *int64 `json:"limit,omitempty"`
	// Limited: there are as many rows as the limit, so that there may be more.
	Limited  bool           `json:"limited,omitempty"`
	Warnings []QueryWarning `json:"warnings,omitempty"`
	Saved    string         `json:"saved,omitempty"` // the saved query in use
}

// UnmarshalJSON reads the wire form. Rows that do not have exactly the columns,
// or are not as many as announced, are refused.
func (r *Result) UnmarshalJSON(text []byte) error {
	var wire struct {
		Dialect  string           `json:"dialect"`
		SQL      string           `json:"sql"`
		Columns  []string         `json:"columns"`
		Rows     []map[string]any `json:"rows"`
		RowCount int              `json:"row_count"`
		Limit    *int64           `json:"limit"`
		Limited  bool             `json:"limited"`
		Warnings []QueryWarning   `json:"warnings"`
		Saved    string           `json:"saved"`
	}
	if err := decode(text, &wire); err != nil {
		return err
	}
	if wire.Columns == nil || wire.Rows == nil {
		return errors.New("a result without columns or rows")
	}
	if wire.RowCount != len(wire.Rows) {
		return fmt.Errorf("%d rows where %d were announced", len(wire.Rows), wire.RowCount)
	}
	rows := make([]Row, len(wire.Rows))
	head := newHeader(wire.Columns)
	for i, object := range wire.Rows {
		values := make([]any, len(wire.Columns))
		for j, column := range wire.Columns {
			v, ok := object[column]
			if !ok {
				return fmt.Errorf("row %d lacks the column %q", i, column)
			}
			values[j] = v
		}
		if len(object) != len(head.index) {
			return fmt.Errorf("row %d has columns beyond those of the result", i)
		}
		rows[i] = Row{head, values}
	}
	*r = Result{wire.Dialect, wire.SQL, wire.Columns, rows, wire.RowCount, wire.Limit, wire.Limited, wire.Warnings, wire.Saved}
	return nil
}

// header is what the rows of a result share.
type header struct {
	columns []string
	index   map[string]int
}

func newHeader(columns []string) *header {
	h := &header{columns: columns, index: make(map[string]int, len(columns))}
	for i, c := range columns {
		h.index[c] = i
	}
	return h
}
