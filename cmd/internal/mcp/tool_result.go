package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// toolResult is the result of a tool: the JSON of the HTTP interface, and a note about a
// list that was cut. An object carries its note itself.
type toolResult struct {
	json []byte
	note string
}

func newToolResult(v any) (toolResult, error) {
	text, err := engine.MarshalWire(v)
	return toolResult{json: text}, err
}

// resultLimits bounds the size of a result.
type resultLimits struct {
	rows  int
	bytes int
}

const moreRowsAdvice = "To see what matters, group by fewer or coarser dimensions, filter with where_sql or time_range, or sort with order_by; " +
	"the whole result is for programs: POST %s of a server, or the command semlayer %s."

// result writes the rows of an execution, cut where they pass the limits. The
// count of rows stays that of the whole result.
func (l resultLimits) result(r *engine.Result, route, command string) (toolResult, error) {
	shown, rows, err := limitRows(r.Rows, l)
	if err != nil {
		return toolResult{}, err
	}
	if shown == r.RowCount {
		text, err := r.AppendJSON(nil)
		return toolResult{json: text}, err
	}
	cut := engine.Result{
		Dialect: r.Dialect, SQL: r.SQL, Columns: r.Columns, Rows: rows, RowCount: r.RowCount,
		Limit: r.Limit, Warnings: r.Warnings,
	} // saved comes last, after the note
	text, err := cut.AppendJSON(nil)
	if err != nil {
		return toolResult{}, err
	}
	note := fmt.Sprintf("Only the first %d of %d rows are here%s. "+moreRowsAdvice, shown, r.RowCount, limitNote(r), route, command)
	return toolResult{json: appendMembers(text, struct {
		Shown int    `json:"rows_shown"`
		Note  string `json:"note"`
		Saved string `json:"saved,omitempty"`
	}{shown, note, r.Saved})}, nil
}

// limitNote adds that the query's limit may have left out rows.
func limitNote(r *engine.Result) string {
	if !r.Limited() {
		return ""
	}
	return fmt.Sprintf(", and the limit of %d may have left out more", *r.Limit)
}

// appendMembers appends the members of an object to another one.
func appendMembers(object []byte, members any) []byte {
	tail, err := engine.MarshalWire(members)
	if err != nil || len(tail) <= len("{}") {
		return object
	}
	return append(append(object[:len(object)-1], ','), tail[1:]...)
}

// limitRows takes the rows from the beginning of an array that the limits allow.
func limitRows(array json.RawMessage, l resultLimits) (n int, rows json.RawMessage, err error) {
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

// pageArguments is what the list tools take beside their own arguments.
type pageArguments struct {
	Search string `json:"search,omitempty" jsonschema:"Only what has this text in its name or description, in any case."`
	Offset int    `json:"offset,omitempty" jsonschema:"How many to skip: the note of a cut result has the number."`
}

// listPage writes the elements that a page asks for, as many as fit.
func listPage[T any](l resultLimits, p pageArguments, elements []T, about func(T) string) (toolResult, error) {
	var found []T
	for _, x := range elements {
		if p.Search == "" || strings.Contains(strings.ToLower(about(x)), strings.ToLower(p.Search)) {
			found = append(found, x)
		}
	}
	text := []byte{'['}
	next := min(max(p.Offset, 0), len(found))
	for first := next; next < len(found); next++ {
		one, err := engine.MarshalWire(found[next])
		if err != nil {
			return toolResult{}, err
		}
		if next > first && len(text)+len(one)+2 > l.bytes {
			break
		}
		if next > first {
			text = append(text, ',')
		}
		text = append(text, one...)
	}
	a := toolResult{json: append(text, ']')}
	if left := len(found) - next; left > 0 {
		a.note = fmt.Sprintf("There are %d more of %d: go on with offset %d, or narrow the list with search.", left, len(found), next)
	}
	return a, nil
}

// attribution writes a report, with fewer segments of each dimension where it would be too
// long. Segments are sorted by importance.
func (l resultLimits) attribution(r *engine.Attribution) (toolResult, error) {
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
			a.json = appendMembers(a.json, struct {
				Note  string `json:"note"`
				Saved string `json:"saved,omitempty"`
			}{fmt.Sprintf("Only the first %d segments of each dimension are here, those that changed most. Ask for fewer dimensions to see more of each.", most), r.Saved})
		}
	}
	return a, err
}

// metric writes the description of a metric, with as many of its dimensions as
// fit.
func (l resultLimits) metric(m engine.MetricInfo, dimensions []engine.DimensionInfo) (toolResult, error) {
	head, err := engine.MarshalWire(m)
	if err != nil {
		return toolResult{}, err
	}
	room := resultLimits{bytes: max(l.bytes-len(head), 0)}
	shown, err := listPage(room, pageArguments{}, dimensions, func(d engine.DimensionInfo) string { return d.Name })
	if err != nil {
		return toolResult{}, err
	}
	text := slices.Concat([]byte(`{"metric":`), head, []byte(`,"dimensions":`), shown.json, []byte("}"))
	if shown.note != "" {
		text = appendMembers(text, struct {
			Note string `json:"note"`
		}{"Not all dimensions are here: list_dimensions with this metric and an offset or a search has the others."})
	}
	return toolResult{json: text}, nil
}
