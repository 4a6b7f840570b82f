package mysql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// writeSession is a connection that may change tables.
type writeSession struct {
	pool *sql.DB
	conn *sql.Conn
}

// writeSessionSetting makes the transactions of a session write. At a higher level of isolation, a build would lock the rows that it reads.
const writeSessionSetting = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE"

// OpenWriteSession connects to a server for changes of its tables. Its sessions have the settings of Open, but their transactions may write.
func OpenWriteSession(ctx context.Context, o Options) (executor.WriteSession, error) {
	config, err := o.driverConfig()
	if err != nil {
		return nil, err
	}
	inner, err := mysql.NewConnector(config)
	if err != nil {
		return nil, driver.ConfigError("the MySQL connection settings are invalid", nil)
	}
	dialect := cmp.Or(o.Dialect, "mysql")
	pool := sql.OpenDB(sessionConnector{inner, cmp.Or(o.SQLMode, defaultSQLMode(dialect)), dialect})
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(classifyConnectError(err), pool.Close())
	}
	s := &writeSession{pool, conn}
	if err := s.Exec(ctx, writeSessionSetting); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Exec runs a statement.
func (s *writeSession) Exec(ctx context.Context, text string) error {
	if _, err := s.conn.ExecContext(ctx, text); err != nil {
		return s.classify(ctx, err)
	}
	return nil
}

// Query returns the rows of a statement.
func (s *writeSession) Query(ctx context.Context, text string) (out [][]*string, err error) {
	rows, err := s.conn.QueryContext(ctx, text)
	if err != nil {
		return nil, s.classify(ctx, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, s.classify(ctx, err)
	}
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, s.classify(ctx, err)
		}
		row := make([]*string, len(columns))
		for i, v := range values {
			if v.Valid {
				row[i] = new(v.String)
			}
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		return nil, s.classify(ctx, err)
	}
	return out, nil
}

func (s *writeSession) classify(ctx context.Context, err error) error {
	if late := driver.ContextError(ctx); late != nil {
		return late
	}
	return classifyStatementError(err)
}

// Close ends the session.
func (s *writeSession) Close() error {
	// The errors of closing are about connections that are gone.
	_ = s.conn.Close()
	_ = s.pool.Close()
	return nil
}
