package client

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Compiled is the SQL of a query.
type Compiled struct {
	Dialect string         `json:"dialect"`
	SQL     string         `json:"sql"`
	Outputs []MetricOutput `json:"outputs,omitempty"`
	// CountSQL is the statement that counts all rows; "" unless the query has Count.
	CountSQL string `json:"count_sql,omitempty"`
	// ResolvedTimeRange holds the bounds of relative ranges; nil without one.
	ResolvedTimeRange *ResolvedTimeRange `json:"resolved_time_range,omitempty"`
	ResolvedCompare   []ResolvedCompare  `json:"resolved_compare,omitempty"` // the earlier ranges of compare with align, or of a list
	// Warnings are findings about the result.
	Warnings []QueryWarning `json:"warnings,omitempty"`
	Saved    string         `json:"saved,omitempty"` // the saved query in use
	Rollups  []RollupUse    `json:"rollups,omitempty"`
	View     *ViewUse       `json:"view,omitempty"` // nil for a query of the whole model
}

// CompiledStatement is a statement that was compiled.
type CompiledStatement struct {
	Dialect string `json:"dialect"`
	SQL     string `json:"sql"`  // for the warehouse
	Kind    string `json:"kind"` // metric, detail or composed
	// Query is the body of the metric or detail query with the same rows by position; nil where none has them.
	Query    json.RawMessage `json:"query,omitempty"`
	Columns  []SQLColumn     `json:"columns"`
	Warnings []QueryWarning  `json:"warnings,omitempty"`
}

// SQLColumn is a column of a statement's result.
type SQLColumn struct {
	Name string `json:"name"`
	Type string `json:"type"` // as PostgreSQL names it
}

// QueryWarning is what to know of a query that is answered.
type QueryWarning struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Columns []string `json:"columns,omitempty"` // of the result, where it is about some
	// Field, Value and Near are of a filter that no row meets: near are the values of the field that are like its value.
	Field string   `json:"field,omitempty"`
	Value *string  `json:"value,omitempty"`
	Near  []string `json:"near,omitempty"`
	// Min and Max are the times of the data, where the query requests others.
	Min string `json:"min,omitempty"`
	Max string `json:"max,omitempty"`
	// SuggestedRetry is a JSON object to merge into the query.
	SuggestedRetry string `json:"suggested_retry,omitempty"`
}

// MetricOutput names the metric that a column holds, with its parameters and time
// range.
type MetricOutput struct {
	Column    string         `json:"column"`
	Metric    string         `json:"metric"`
	Params    map[string]any `json:"params,omitempty"`
	TimeRange string         `json:"time_range,omitempty"`
	// Kind is what the column holds of the metric: share, previous, change or change_ratio;
	// "" for the metric itself.
	Kind string `json:"kind,omitempty"`
	// Approximate: the engine estimates the values.
	Approximate bool `json:"approximate,omitempty"`
}

// Explained is a logical plan: an indented tree, one node a line.
type Explained struct {
	Plan  string `json:"plan"`
	Saved string `json:"saved,omitempty"` // the saved query in use

	Rollups []RollupUse `json:"rollups,omitempty"`
	View    *ViewUse    `json:"view,omitempty"`
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
	// Rows of totals do not count.
	Limited bool `json:"limited,omitempty"`
	// TotalRows is the number of rows without limit and offset; nil unless the query has Count.
	TotalRows *int64 `json:"total_rows,omitempty"`
	// ResolvedTimeRange holds the bounds of relative ranges; nil without one.
	ResolvedTimeRange *ResolvedTimeRange `json:"resolved_time_range,omitempty"`
	ResolvedCompare   []ResolvedCompare  `json:"resolved_compare,omitempty"`
	Warnings          []QueryWarning     `json:"warnings,omitempty"`
	Saved             string             `json:"saved,omitempty"` // the saved query in use
	Rollups           []RollupUse        `json:"rollups,omitempty"`
	View              *ViewUse           `json:"view,omitempty"`
}

// UnmarshalJSON reads the wire form. Rows that do not have exactly the columns,
// or are not as many as announced, are rejected.
func (r *Result) UnmarshalJSON(text []byte) error {
	type result Result
	var out result
	wire := struct {
		*result
		Rows []map[string]any `json:"rows"` // in the place of those of the result
	}{result: &out}
	if err := decodeSingleJSONValue(text, &wire); err != nil {
		return err
	}
	if wire.Columns == nil || wire.Rows == nil {
		return errors.New("a result without columns or rows")
	}
	if wire.RowCount != len(wire.Rows) {
		return fmt.Errorf("%d rows where %d were announced", len(wire.Rows), wire.RowCount)
	}
	rows := make([]Row, len(wire.Rows))
	head := newRowHeader(wire.Columns)
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
	out.Rows = rows
	*r = Result(out)
	return nil
}

// ViewUse is the view that a query is in, with what of it acts by default.
type ViewUse struct {
	Name      string         `json:"name"`
	Filters   []string       `json:"filters,omitempty"`
	TimeRange *ViewTimeRange `json:"time_range,omitempty"`
}

// ResolvedCompare is an earlier range that a query compares with.
type ResolvedCompare struct {
	Name  string `json:"name,omitempty"`
	Start string `json:"start"`
	End   string `json:"end"`
}

// rowHeader is what the rows of a result share.
type rowHeader struct {
	columns []string
	index   map[string]int
}

func newRowHeader(columns []string) *rowHeader {
	h := &rowHeader{columns: columns, index: make(map[string]int, len(columns))}
	for i, c := range columns {
		h.index[c] = i
	}
	return h
}
