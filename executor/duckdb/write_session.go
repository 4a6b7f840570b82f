package duckdb

import (
	"context"
	"errors"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// writeSession is a connection that may change the tables of a file, beside an executor that reads them.
type writeSession struct {
	reads *Executor
	conn  *connection
}

// OpenWriteSession opens a database for changes of its tables. A file that another process holds does not open; the error has the code config.
func OpenWriteSession(ctx context.Context, o Options) (executor.WriteSession, error) {
	e, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	conn, err := e.current.openConnection()
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return &writeSession{e, conn}, nil
}

// Exec runs a statement.
func (s *writeSession) Exec(ctx context.Context, sql string) error {
	return s.conn.runWithContext(ctx, func() error { return s.conn.executeScript(sql) })
}

// Query returns the rows of a SELECT.
func (s *writeSession) Query(ctx context.Context, sql string) (out [][]*string, err error) {
	rows, err := s.reads.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	err = executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		out = appendTextRows(out, batch)
		return nil
	})
	return out, err
}

// appendTextRows appends the rows of a batch as texts.
func appendTextRows(out [][]*string, batch arrow.RecordBatch) [][]*string {
	for i := range int(batch.NumRows()) {
		row := make([]*string, batch.NumCols())
		for j, column := range batch.Columns() {
			if !column.IsNull(i) {
				row[j] = new(strings.Clone(column.ValueStr(i)))
			}
		}
		out = append(out, row)
	}
	return out
}

// Close closes the database.
func (s *writeSession) Close() error {
	s.conn.disconnect()
	return s.reads.Close()
}
