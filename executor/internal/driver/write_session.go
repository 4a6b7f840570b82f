package driver

import (
	"context"
	"errors"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// writeSession writes over the connections of an executor.
type writeSession struct{ executor.Executor }

// NewWriteSession returns a session that may change tables, over an executor whose statements have no session and which accepts statements that
// write. Closing it closes the executor.
func NewWriteSession(e executor.Executor) executor.WriteSession { return writeSession{e} }

// Exec runs a statement.
func (s writeSession) Exec(ctx context.Context, sql string) error {
	_, err := s.Query(ctx, sql)
	return err
}

// Query returns the rows of a statement.
func (s writeSession) Query(ctx context.Context, sql string) ([][]*string, error) {
	return QueryTexts(ctx, s.Executor, sql)
}

// QueryTexts returns the rows of a statement as texts; nil stands for NULL.
func QueryTexts(ctx context.Context, e executor.Executor, sql string) (out [][]*string, err error) {
	rows, err := e.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	err = executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		for i := range int(batch.NumRows()) {
			row := make([]*string, batch.NumCols())
			for j, column := range batch.Columns() {
				if !column.IsNull(i) {
					row[j] = new(strings.Clone(column.ValueStr(i)))
				}
			}
			out = append(out, row)
		}
		return nil
	})
	return out, err
}
