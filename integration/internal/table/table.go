package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Table is a result: the names of its columns and its rows.
type Table struct {
	Columns []string
	Rows    []Row
}

// Row has one cell per column.
type Row []Cell

// CellKind is the JSON type of a cell, or Any for one that was written by hand.
type CellKind uint8

// The kinds.
const (
	CellKindNull CellKind = iota
	CellKindBool
	CellKindNumber
	CellKindText
	// CellKindUntypedText is a cell of rows.txt: its text is compared with that of a cell of any type.
	CellKindUntypedText
)

// Cell is a value: of a number its digits, of a boolean true or false.
type Cell struct {
	Kind CellKind
	Text string
}

// NullMark is how a null is written in rows.txt and printed.
const NullMark = "∅"

func (c Cell) String() string {
	if c.Kind == CellKindNull {
		return NullMark
	}
	return c.Text
}

// FromText reads a rows.txt: a line of column names, then a line per row, cells
// apart by bars, space around them of no meaning.
func FromText(text string) (*Table, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	t := &Table{}
	for _, name := range strings.Split(lines[0], "|") {
		t.Columns = append(t.Columns, strings.TrimSpace(name))
	}
	for _, line := range lines[1:] {
		var row Row
		for _, cell := range strings.Split(line, "|") {
			cell = strings.TrimSpace(cell)
			if cell == NullMark {
				row = append(row, Cell{Kind: CellKindNull})
			} else {
				row = append(row, Cell{CellKindUntypedText, cell})
			}
		}
		if len(row) != len(t.Columns) {
			return nil, fmt.Errorf("%d cells for %d columns: %s", len(row), len(t.Columns), line)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// FromJSON reads an array of objects whose keys are the columns in their order,
// as the service answers.
func FromJSON(columns []string, rows []byte) (*Table, error) {
	t := &Table{Columns: columns}
	d := json.NewDecoder(bytes.NewReader(rows))
	d.UseNumber()
	if err := expectToken(d, json.Delim('[')); err != nil {
		return nil, err
	}
	for d.More() {
		row, err := readRow(d, columns)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(t.Rows), err)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, expectToken(d, json.Delim(']'))
}

func readRow(d *json.Decoder, columns []string) (Row, error) {
	if err := expectToken(d, json.Delim('{')); err != nil {
		return nil, err
	}
	row := make(Row, 0, len(columns))
	for _, name := range columns {
		if err := expectToken(d, name); err != nil {
			return nil, err
		}
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		cell, err := cellFromJSONToken(token)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		row = append(row, cell)
	}
	return row, expectToken(d, json.Delim('}'))
}

func expectToken(d *json.Decoder, want json.Token) error {
	got, err := d.Token()
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%v instead of %v", got, want)
	}
	return nil
}

func cellFromJSONToken(token json.Token) (Cell, error) {
	switch v := token.(type) {
	case nil:
		return Cell{Kind: CellKindNull}, nil
	case bool:
		return Cell{CellKindBool, fmt.Sprint(v)}, nil
	case json.Number:
		return Cell{CellKindNumber, v.String()}, nil
	case string:
		return Cell{CellKindText, v}, nil
	}
	return Cell{}, errors.New("a nested value")
}
