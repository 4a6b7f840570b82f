package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

const (
	csvNull                   = `\N` // in place of NULL, without quotes
	csvLeadingBackslashEscape = `\`  // before a text that begins with it
)

// resultTable is a result by position: two columns may have one name.
type resultTable struct {
	headers   []string
	datatypes []string // "" where it is not known
	rows      [][]any  // nil, bool, json.Number or string
}

// readResultTable reads the rows of a result.
func readResultTable(r *engine.OssieResult) (*resultTable, error) {
	t := &resultTable{headers: r.Headers, datatypes: make([]string, len(r.Headers))}
	copy(t.datatypes, r.Datatypes)
	d := json.NewDecoder(bytes.NewReader(r.Rows))
	d.UseNumber()
	if err := expectDelimiter(d, '['); err != nil {
		return nil, err
	}
	for d.More() {
		row, err := readRowCells(d, len(t.headers))
		if err != nil {
			return nil, err
		}
		t.rows = append(t.rows, row)
	}
	t.dropDatatypeOnValueMismatch()
	return t, nil
}

// readRowCells reads the values of an object in their order.
func readRowCells(d *json.Decoder, width int) ([]any, error) {
	if err := expectDelimiter(d, '{'); err != nil {
		return nil, err
	}
	row := make([]any, 0, width)
	for d.More() {
		if _, err := d.Token(); err != nil { // the name of the column
			return nil, err
		}
		var cell any
		if err := d.Decode(&cell); err != nil {
			return nil, err
		}
		switch cell.(type) {
		case map[string]any, []any:
			text, err := engine.MarshalWireJSON(cell)
			if err != nil {
				return nil, err
			}
			cell = string(text)
		}
		row = append(row, cell)
	}
	if len(row) != width {
		return nil, fmt.Errorf("a row has %d values of %d columns", len(row), width)
	}
	return row, expectDelimiter(d, '}')
}

func expectDelimiter(d *json.Decoder, want json.Delim) error {
	got, err := d.Token()
	if err == nil && got != want {
		err = fmt.Errorf("rows have %v where %v is expected", got, want)
	}
	return err
}

// dropDatatypeOnValueMismatch forgets the type of a column with a value that does not fit it: an engine may have values of
// several types in one column.
func (t *resultTable) dropDatatypeOnValueMismatch() {
	for i, datatype := range t.datatypes {
		for _, row := range t.rows {
			if row[i] != nil && !resultCellFitsDatatype(row[i], datatype) {
				t.datatypes[i] = ""
			}
		}
	}
}

func resultCellFitsDatatype(cell any, datatype string) bool {
	switch v := cell.(type) {
	case bool:
		return datatype == "Boolean"
	case json.Number:
		switch datatype {
		case "Integer":
			return !strings.ContainsAny(v.String(), ".eE")
		case "Decimal", "Float":
			return true
		}
		return false
	}
	switch datatype {
	case "Integer", "Decimal", "Float", "Boolean":
		return false
	}
	return true
}

func (t *resultTable) executeQueryColumns() []executeQueryColumn {
	out := make([]executeQueryColumn, len(t.headers))
	for i, name := range t.headers {
		out[i] = executeQueryColumn{name, t.datatypes[i]}
	}
	return out
}

// previewRows returns the first rows in JSON: a number is a text that keeps its digits, but for Float.
func (t *resultTable) previewRows(n int) [][]any {
	out := make([][]any, n)
	for i := range out {
		out[i] = make([]any, len(t.headers))
		for j, cell := range t.rows[i] {
			switch v := cell.(type) {
			case json.Number:
				if t.datatypes[j] == "Float" {
					out[i][j] = v
				} else {
					out[i][j] = v.String()
				}
			case bool:
				if out[i][j] = v; t.datatypes[j] == "" {
					out[i][j] = cellText(v)
				}
			default:
				out[i][j] = v
			}
		}
	}
	return out
}

// csv writes the table in the form of RFC 4180, with NULL as \N.
func (t *resultTable) csv() string {
	var b strings.Builder
	for i, name := range t.headers {
		writeCSVSeparator(&b, i)
		writeCSVCell(&b, name)
	}
	b.WriteString("\r\n")
	for _, row := range t.rows {
		for i, cell := range row {
			writeCSVSeparator(&b, i)
			switch v := cell.(type) {
			case nil:
				b.WriteString(csvNull)
			case string:
				if strings.HasPrefix(v, csvLeadingBackslashEscape) {
					v = csvLeadingBackslashEscape + v
				}
				writeCSVCell(&b, v)
			default:
				b.WriteString(cellText(v))
			}
		}
		b.WriteString("\r\n")
	}
	return b.String()
}

func cellText(cell any) string { return fmt.Sprint(cell) }

func writeCSVSeparator(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

// writeCSVCell writes a text, in quotes where it needs them. A text that is empty, and alone in its row, would be an
// empty line.
func writeCSVCell(b *strings.Builder, text string) {
	if text != "" && !strings.ContainsAny(text, ",\"\r\n") {
		b.WriteString(text)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(text, `"`, `""`))
	b.WriteByte('"')
}
