package duckdb

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow/array"
	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

// queryTextRows runs a query whose columns are all text and returns its rows; null is empty.
func (c *connection) queryTextRows(ctx context.Context, sql string) (rows [][]string, err error) {
	err = c.runWithContext(ctx, func() error {
		rows, err = c.queryTextRowsWithParams(sql)
		return err
	})
	return rows, err
}

func (c *connection) queryTextRowsWithParams(sql string, values ...string) ([][]string, error) {
	var s runningStatement
	defer s.destroy()
	if err := s.prepareAndStartSelectWithParameters(c, sql, values...); err != nil {
		return nil, err
	}
	_, columns, err := newColumnBuildersForResult(&s.result)
	if err != nil {
		return nil, err
	}
	count := 0
	for {
		chunk, err := s.fetchChunk()
		if err != nil {
			return nil, err
		}
		if chunk == nil {
			break
		}
		n := int(bindings.DataChunkGetSize(*chunk))
		for i, col := range columns {
			if err == nil {
				err = col.appendVector(newVector(bindings.DataChunkGetVector(*chunk, bindings.IdxT(i))), n, n)
			}
		}
		bindings.DestroyDataChunk(chunk)
		if err != nil {
			return nil, err
		}
		count += n
	}
	rows := make([][]string, count)
	for _, col := range columns {
		values, ok := col.buildArray().(*array.String)
		if !ok {
			return nil, driver.DriverFailureError("a column of a query about data files is not text", nil)
		}
		for i := range rows {
			rows[i] = append(rows[i], values.Value(i))
		}
	}
	return rows, nil
}

// queryOneText runs a query with one row of one text; values are those of its parameters.
func (c *connection) queryOneText(sql string, values ...string) (string, error) {
	rows, err := c.queryTextRowsWithParams(sql, values...)
	if err != nil || len(rows) == 0 || len(rows[0]) == 0 {
		return "", err
	}
	return rows[0][0], nil
}
