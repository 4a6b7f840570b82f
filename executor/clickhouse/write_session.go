package clickhouse

import (
	"context"
	"errors"
	"io"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// writeSession sends statements that may change tables, beside an executor that reads them.
type writeSession struct{ reads *Executor }

// OpenWriteSession returns a session that may change tables. It connects to nothing; its errors are those of Open.
func OpenWriteSession(o Options) (executor.WriteSession, error) {
	o.PoolSize = 1
	e, err := Open(o)
	if err != nil {
		return nil, err
	}
	return &writeSession{e}, nil
}

// Exec runs a statement, with the settings of those that read.
func (s *writeSession) Exec(ctx context.Context, sql string) error {
	id := newQueryID()
	settings := s.reads.querySettings(id, "Null")
	settings.Del("readonly")
	settings.Set("wait_end_of_query", "1") // an error is then in the status
	body, err := s.reads.sendWithSupportedSettings(ctx, settings, sql)
	if err != nil {
		if ctx.Err() != nil {
			s.reads.killStatement(ctx, id)
			return driver.ContextError(ctx)
		}
		return err
	}
	_, err = io.Copy(io.Discard, body)
	if err = errors.Join(err, body.Close()); err != nil {
		return driver.ConnectionLostError(err)
	}
	return nil
}

// Query returns the rows of a SELECT.
func (s *writeSession) Query(ctx context.Context, sql string) ([][]*string, error) {
	return driver.QueryTexts(ctx, s.reads, sql)
}

// Close closes the connection.
func (s *writeSession) Close() error { return s.reads.Close() }
