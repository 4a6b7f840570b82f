package duckdb

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// writeSession is a connection that may change the tables of a file, beside an executor that reads them.
type writeSession struct {
	reads *Executor
	conn  *connection
}

var _ executor.TableLoader = (*writeSession)(nil)

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
func (s *writeSession) Query(ctx context.Context, sql string) ([][]*string, error) {
	return driver.QueryTexts(ctx, s.reads, sql)
}

// Close closes the database.
func (s *writeSession) Close() error {
	s.conn.disconnect()
	return s.reads.Close()
}
