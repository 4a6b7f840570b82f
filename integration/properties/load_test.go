package properties_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// tables reads the rows of every dataset of a model out of a database.
func tables(ctx context.Context, db executor.Executor, cat *catalog.Catalog) (reference.Data, error) {
	data := reference.Data{}
	for _, d := range cat.Datasets {
		if d.Sequence != nil {
			continue // which the reference makes of other rows
		}
		source := d.Source.Query
		if source == "" {
			var parts []string
			for _, n := range d.Source.Table {
				parts = append(parts, `"`+n.Text+`"`)
			}
			source = "SELECT * FROM " + strings.Join(parts, ".")
		}
		list, err := rowsOf(ctx, db, source)
		if err != nil {
			return nil, fmt.Errorf("the rows of %s: %w", d.Name, err)
		}
		data[strings.ToLower(d.Name)] = list
	}
	return data, nil
}

func rowsOf(ctx context.Context, db executor.Executor, sql string) ([]reference.Row, error) {
	described, err := queryTable(ctx, db, "DESCRIBE "+sql)
	if err != nil {
		return nil, err
	}
	stored, err := queryTable(ctx, db, sql)
	if err != nil {
		return nil, err
	}
	var out []reference.Row
	for _, cells := range stored.Rows {
		row := reference.Row{}
		for i, c := range cells {
			v, err := valueOf(c, described.Rows[i][1].Text)
			if err != nil {
				return nil, err
			}
			row[strings.ToLower(stored.Columns[i])] = v
		}
		out = append(out, row)
	}
	return out, nil
}

// queryTable runs a statement and reads its rows.
func queryTable(ctx context.Context, db executor.Executor, sql string) (*table.Table, error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(ctx, rows, nil)
	if err != nil {
		return nil, err
	}
	return table.FromJSON(result.Columns, json.RawMessage(result.Rows))
}

func valueOf(c table.Cell, columnType string) (reference.Value, error) {
	switch {
	case c.Kind == table.CellKindNull:
		return nil, nil
	case c.Kind == table.CellKindBool:
		return c.Text == "true", nil
	case c.Kind == table.CellKindNumber:
		return strconv.ParseFloat(c.Text, 64)
	case columnType == "DATE", strings.HasPrefix(columnType, "TIMESTAMP"):
		v, err := reference.ParseTime(c.Text)
		if m, ok := v.(reference.Timestamp); ok && columnType == "TIMESTAMP WITH TIME ZONE" {
			return reference.TimestampTZ(m), err
		}
		return v, err
	}
	return c.Text, nil
}

// tableOf returns the reference's answer as a table of cells.
func tableOf(r *reference.Result) *table.Table {
	t := &table.Table{Columns: r.Columns}
	for _, values := range r.Rows {
		var row table.Row
		for _, v := range values {
			row = append(row, cellOf(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func cellOf(v reference.Value) table.Cell {
	switch v := v.(type) {
	case nil:
		return table.Cell{Kind: table.CellKindNull}
	case bool:
		return table.Cell{Kind: table.CellKindBool, Text: strconv.FormatBool(v)}
	case float64:
		return table.Cell{Kind: table.CellKindNumber, Text: decimal(v)}
	}
	return table.Cell{Kind: table.CellKindText, Text: reference.FormatValue(v)}
}

// decimal writes a number with an exponent, so that it is compared as what it
// is: near the true one.
func decimal(v float64) string { return strconv.FormatFloat(v, 'e', -1, 64) }
