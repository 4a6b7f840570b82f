package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/executor"
)

// writeSession is a connection that may change tables.
type writeSession struct{ conn *pgx.Conn }

// closeTimeout bounds the end of a session.
const closeTimeout = 2 * time.Second

// OpenWriteSession connects to a server for changes of its tables. Its sessions have the settings of Open, but their transactions may write.
func OpenWriteSession(ctx context.Context, o Options) (executor.WriteSession, error) {
	config, err := o.poolConfig()
	if err != nil {
		return nil, err
	}
	if err := o.readChangingFiles(ctx, config.ConnConfig); err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, classifyConnectError(err)
	}
	s := &writeSession{conn}
	if err := o.prepareSession(ctx, conn); err != nil {
		return nil, errors.Join(classifyConnectError(err), conn.Close(ctx))
	}
	if o.Dialect == redshiftDialect {
		return s, nil // whose sessions have no such setting
	}
	if err := s.Exec(ctx, "SET default_transaction_read_only = off"); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return s, nil
}

// Exec runs a statement.
func (s *writeSession) Exec(ctx context.Context, sql string) error {
	_, err := s.Query(ctx, sql)
	return err
}

// Query returns the rows of a statement.
func (s *writeSession) Query(ctx context.Context, sql string) (out [][]*string, err error) {
	results, err := s.conn.PgConn().Exec(ctx, sql).ReadAll()
	if err != nil {
		return nil, classifyStatementError(err)
	}
	for _, r := range results {
		for _, values := range r.Rows {
			row := make([]*string, len(values))
			for i, v := range values {
				if v != nil {
					row[i] = new(string(v))
				}
			}
			out = append(out, row)
		}
	}
	return out, nil
}

// Close ends the session.
func (s *writeSession) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return s.conn.Close(ctx)
}
