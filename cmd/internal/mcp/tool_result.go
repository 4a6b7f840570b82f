package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
)

// toolResult is the result of a tool: the JSON of the HTTP interface, and a note about a
// list that was cut. An object carries its note itself.
type toolResult struct {
	json  []byte
	note  string
	whole *sdk.CallToolResult // the result itself, of a tool that has its own form; else nil
}

func newToolResult(v any) (toolResult, error) {
	text, err := engine.MarshalWireJSON(v)
	return toolResult{json: text}, err
}

// toolResultLimits bounds the size of a result.
type toolResultLimits struct {
	rows  int
	bytes int
	list  int // bytes of a list that is not requested in detail
}

const truncatedRowsAdvice = "To see what matters, group by fewer or coarser dimensions, filter with where_sql or time_range, or sort with order_by; " +
	"the whole result is for programs: POST %s of a server, or the command semlayer %s."

// rowsResult writes the rows of an execution, cut where they pass the limits. The
// count of rows stays that of the whole result.
func (l toolResultLimits) rowsResult(r *engine.Result, route, command string) (toolResult, error) {
	shown, rows, err := rowsWithinLimits(r.Rows, l)
	if err != nil {
		return toolResult{}, err
	}
	if shown == r.RowCount {
		text, err := r.AppendJSON(nil)
		return toolResult{json: text}, err
	}
	cut := engine.Result{
		Dialect: r.Dialect, SQL: r.SQL, Columns: r.Columns, Rows: rows, RowCount: r.RowCount,
		Limit: r.Limit, TotalRows: r.TotalRows, AllRows: r.AllRows, ResultEnd: r.ResultEnd,
	}
	text, err := cut.AppendJSON(nil)
	if err != nil {
		return toolResult{}, err
	}
	note := fmt.Sprintf("Only the first %d of %d rows are here%s. "+truncatedRowsAdvice, shown, r.RowCount, limitReachedNote(r), route, command)
	return toolResult{json: appendJSONMembers(text, struct {
		Shown int    `json:"rows_shown"`
		Note  string `json:"note"`
	}{shown, note})}, nil
}

// limitReachedNote adds that the query's limit may have left out rows.
func limitReachedNote(r *engine.Result) string {
	if !r.ReachedLimit() {
		return ""
	}
	if r.AllRows != nil {
		return fmt.Sprintf(" of %d in all, with the limit of %d", *r.AllRows, *r.Limit)
	}
	return fmt.Sprintf(", and the limit of %d may have left out more", *r.Limit)
}

// appendJSONMembers appends the members of an object to another one.
func appendJSONMembers(object []byte, members any) []byte {
	tail, err := engine.MarshalWireJSON(members)
	if err != nil || len(tail) <= len("{}") {
		return object
	}
	return append(append(object[:len(object)-1], ','), tail[1:]...)
}

// rowsWithinLimits takes the rows from the beginning of an array that the limits allow.
func rowsWithinLimits(array json.RawMessage, l toolResultLimits) (n int, rows json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(array))
	if _, err := d.Token(); err != nil {
		return 0, nil, err
	}
	end := int64(1) // after the bracket
	for n < l.rows && d.More() {
		var row json.RawMessage
		if err := d.Decode(&row); err != nil {
			return 0, nil, err
		}
		if d.InputOffset()+1 > int64(l.bytes) {
			break
		}
		end = d.InputOffset()
		n++
	}
	return n, append(slices.Clone(array[:end]), ']'), nil
}

// attributionResult writes a report, with fewer segments of each dimension where it would be too
// long. Segments are sorted by importance.
func (l toolResultLimits) attributionResult(r *engine.Attribution) (toolResult, error) {
	a, err := newToolResult(r)
	for most := 64; err == nil && len(a.json) > l.bytes && most > 0; most /= 2 {
		cut := *r
		cut.Saved = ""
		cut.TopDimensionValues = cut.TopDimensionValues[:min(most, len(cut.TopDimensionValues))]
		cut.PerDimension = maps.Clone(r.PerDimension)
		for name, d := range cut.PerDimension {
			if len(d.Values) > most {
				d.Values, d.Truncated = d.Values[:most], true
				cut.PerDimension[name] = d
			}
		}
		if a, err = newToolResult(&cut); err == nil {
			a.json = appendJSONMembers(a.json, struct {
				Note  string `json:"note"`
				Saved string `json:"saved,omitempty"`
			}{fmt.Sprintf("Only the first %d segments of each dimension are here, those that changed most. Ask for fewer dimensions to see more of each.", most), r.Saved})
		}
	}
	return a, err
}
