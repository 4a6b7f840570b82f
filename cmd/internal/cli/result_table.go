package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/semlayer/semlayer/engine"
)

// textTableOfResult reads the rows of a result, numbers digit by digit.
func textTableOfResult(r *engine.Result) (textTable, error) {
	g := textTable{columns: r.Columns, formats: r.Formats, rows: make([][]tableCell, 0, r.RowCount)}
	d := json.NewDecoder(bytes.NewReader(r.Rows))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return g, err
	}
	for d.More() {
		row := make([]tableCell, 0, len(r.Columns))
		if _, err := d.Token(); err != nil {
			return g, err
		}
		for d.More() {
			if _, err := d.Token(); err != nil {
				return g, err
			}
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				return g, err
			}
			c, err := newTableCellFromJSON(value)
			if err != nil {
				return g, err
			}
			row = append(row, c)
		}
		if _, err := d.Token(); err != nil {
			return g, err
		}
		if len(row) != len(r.Columns) {
			return g, fmt.Errorf("a row of %d values under %d columns", len(row), len(r.Columns))
		}
		g.rows = append(g.rows, row)
	}
	return g, nil
}

func newTableCellFromJSON(value json.RawMessage) (tableCell, error) {
	switch c := value[0]; {
	case c == 'n':
		return tableCell{null: true}, nil
	case c == '"':
		var s string
		err := json.Unmarshal(value, &s)
		return tableCell{text: s}, err
	case c == '-' || ('0' <= c && c <= '9'):
		return tableCell{text: string(value), number: true}, nil
	}
	return tableCell{text: string(value)}, nil
}
