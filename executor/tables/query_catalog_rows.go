package tables

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// catalogValue is one value of a catalog as text.
type catalogValue struct {
	text string
	null bool
}

// isTrue reads a condition, which some drivers return as an integer.
func (v catalogValue) isTrue() bool { return v.text == "true" || v.text == "1" }

// queryCatalogRows returns the rows of a statement as text.
func queryCatalogRows(ctx context.Context, e executor.Executor, statement string) (out [][]catalogValue, err error) {
	ctx, cancel := context.WithTimeout(ctx, CatalogStatementTimeout)
	defer cancel()
	rows, err := e.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	err = executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		if len(out)+int(batch.NumRows()) > maxCatalogRows {
			return &executor.Error{
				Code:    executor.CodeConfig,
				Message: "the catalog of the warehouse has more than " + strconv.Itoa(maxCatalogRows) + " columns",
				Hint:    "connect to one database or name one schema",
			}
		}
		for i := range int(batch.NumRows()) {
			row := make([]catalogValue, batch.NumCols())
			for j, column := range batch.Columns() {
				if column.IsNull(i) || column.DataType().ID() == arrow.NULL {
					row[j].null = true
				} else {
					// The values of some drivers share the memory of the batch.
					row[j].text = strings.Clone(column.ValueStr(i))
				}
			}
			out = append(out, row)
		}
		return nil
	})
	return out, err
}
