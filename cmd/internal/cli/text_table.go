package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine"
)

// The output formats.
const (
	formatTable = "table"
	formatJSON  = "json"
	formatCSV   = "csv"

	formatGitHub = "github" // of validate alone: annotations of a workflow run
)

// effectiveOutputFormat returns the effective output format.
func (a *app) effectiveOutputFormat() string {
	switch {
	case a.format != "":
		return a.format
	case isTerminal(a.std.Out):
		return formatTable
	}
	return formatJSON
}

// printJSON prints a value with the JSON encoding of the HTTP interface.
func (a *app) printJSON(v any) error {
	text, err := engine.MarshalWireJSON(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.std.Out, "%s\n", text)
	return err
}

// textTable is a table of texts.
type textTable struct {
	columns []string
	rows    [][]tableCell
	formats []engine.ColumnFormat // of numbers in tables; nil for none
}

// numberColumns returns how the numbers of each column are shown.
func (g textTable) numberColumns() []numberColumn {
	out := make([]numberColumn, len(g.columns))
	for i := range g.columns {
		var f engine.ColumnFormat
		if i < len(g.formats) {
			f = g.formats[i]
		}
		var numbers []string
		for _, row := range g.rows {
			if row[i].number {
				numbers = append(numbers, row[i].text)
			}
		}
		out[i] = newNumberColumn(f, numbers...)
	}
	return out
}

// sortRows sorts the rows by columns: numbers by size, the rest by its text, NULL last.
func (g textTable) sortRows(columns []int) {
	slices.SortStableFunc(g.rows, func(a, b []tableCell) int {
		for _, i := range columns {
			if c := a[i].compare(b[i]); c != 0 {
				return c
			}
		}
		return 0
	})
}

func (c tableCell) compare(d tableCell) int {
	switch {
	case c.null && d.null:
		return 0
	case c.null:
		return 1
	case d.null:
		return -1
	}
	if x, ok := parseExactNumber(c.text); ok && c.number && d.number {
		if y, ok := parseExactNumber(d.text); ok {
			return x.Cmp(y)
		}
	}
	return strings.Compare(c.text, d.text)
}

// tableCell is one value: its text, and whether it is a number or NULL.
type tableCell struct {
	text   string
	number bool
	null   bool
}

func newTextCell(s string) tableCell { return tableCell{text: s} }

func (a *app) printTextTable(g textTable) error {
	if a.effectiveOutputFormat() == formatCSV {
		return writeCSV(a.std.Out, g)
	}
	text, shown := renderAlignedTable(g, styleOfStream(a.std.Out), terminalWidth(a.std.Out))
	if shown < len(g.columns) {
		defer fmt.Fprintf(a.std.Err, "%d of %d columns fit; --format csv shows all of them\n", shown, len(g.columns))
	}
	_, err := a.std.Out.Write(text)
	return err
}

// printRowCountAndTime prints below a table how many rows it has and how long they took. It
// goes to standard error, so that a file of rows holds rows only.
func (a *app) printRowCountAndTime(rows int, took time.Duration) {
	noun := "rows"
	if rows == 1 {
		noun = "row"
	}
	s := styleOfStream(a.std.Err)
	fmt.Fprintln(a.std.Err, s.dim(fmt.Sprintf("%d %s, %d ms", rows, noun, took.Milliseconds())))
}

// writeCSV writes NULL as an empty field.
func writeCSV(w io.Writer, g textTable) error {
	out := csv.NewWriter(w)
	_ = out.Write(g.columns)
	record := make([]string, len(g.columns))
	for _, row := range g.rows {
		for i, c := range row {
			record[i] = c.text
			if c.null {
				record[i] = ""
			}
		}
		_ = out.Write(record)
	}
	out.Flush()
	return out.Error()
}
