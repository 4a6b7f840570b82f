package mysql

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/go-sql-driver/mysql"
)

// killTimeout bounds the second connection that ends a statement.
const killTimeout = 300 * time.Millisecond

// sessionConnector makes sessions that are prepared and know their own number.
type sessionConnector struct {
	sqldriver.Connector
	mode    string
	dialect string
}

// session is a connection with the number by which another one can end its
// statement.
type session struct {
	sqldriver.Conn
	id        uint64
	since     time.Time
	connector sqldriver.Connector
	// used reports that the session has run a statement and may have been idle since.
	used  bool
	limit statementTimeLimit
}

var (
	_ sqldriver.SessionResetter = (*session)(nil)
	_ sqldriver.Validator       = (*session)(nil)
)

// Connect is called by the pool.
func (c sessionConnector) Connect(ctx context.Context) (sqldriver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{Conn: conn, connector: c.Connector, since: time.Now()}
	if err := s.prepareSession(ctx, c.mode, c.dialect); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return s, nil
}

// setCharacterSet chooses the character set. Text that comes from no column compares by
// the connection's collation, and the same query must give the same rows on
// every engine, so that one is binary; columns keep their own.
func (s *session) setCharacterSet(ctx context.Context) error {
	var refusal *mysql.MySQLError
	err := s.execStatement(ctx, "SET NAMES utf8mb4 COLLATE utf8mb4_bin")
	if errors.As(err, &refusal) { // a relative of MySQL without that collation
		return s.execStatement(ctx, "SET NAMES utf8mb4")
	}
	return err
}

func (s *session) prepareSession(ctx context.Context, mode, dialect string) error {
	if err := s.setCharacterSet(ctx); err != nil {
		return err
	}
	if err := s.applySettings(ctx, sessionSettings(mode, dialect), dialect); err != nil {
		return err
	}
	// Some relatives of MySQL know no read-only sessions, which are a second lock on a door that
	// generated SELECTs do not try, and no levels of isolation.
	var refusal *mysql.MySQLError
	for _, sql := range []string{"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", "SET SESSION TRANSACTION READ ONLY"} {
		err := s.execStatement(ctx, sql)
		if err == nil {
			break
		}
		if !errors.As(err, &refusal) {
			return err
		}
	}
	if err := s.readStatementTimeLimit(ctx, dialect); err != nil {
		return err
	}
	var err error
	s.id, err = s.connectionID(ctx)
	return err
}

func (s *session) execStatement(ctx context.Context, sql string) error {
	_, err := s.Conn.(sqldriver.ExecerContext).ExecContext(ctx, sql, nil)
	return err
}

func (s *session) queryStatement(ctx context.Context, sql string) (sqldriver.Rows, error) {
	return s.Conn.(sqldriver.QueryerContext).QueryContext(ctx, sql, nil)
}

var errNoConnectionID = errors.New("the server does not number its connections")

func (s *session) connectionID(ctx context.Context) (id uint64, err error) {
	found, err := s.queryLastValue(ctx, "SELECT CONNECTION_ID()")
	if err != nil {
		return 0, err
	}
	switch v := found.(type) {
	case int64:
		return uint64(v), nil
	case uint64:
		return v, nil
	}
	return 0, errNoConnectionID
}

// queryLastValue returns the last value of a statement's only row.
func (s *session) queryLastValue(ctx context.Context, sql string) (v sqldriver.Value, err error) {
	rows, err := s.queryStatement(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	dest := make([]sqldriver.Value, len(rows.Columns()))
	if len(dest) == 0 {
		return nil, errNoConnectionID
	}
	if err := rows.Next(dest); err != nil {
		return nil, err
	}
	v = dest[len(dest)-1]
	if text, ok := v.([]byte); ok {
		v = string(text)
	}
	if err := rows.Next(dest); !errors.Is(err, io.EOF) {
		return nil, errNoConnectionID
	}
	return v, nil
}

// killOrphanedStatement ends the statement of a connection that broke: the server does not notice the break
// until it sends something, which may be in an hour. A restarted server numbers its connections
// from the start, so a connection that is younger than the session is left alone.
func (s *session) killOrphanedStatement(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
	defer cancel()
	conn, err := s.connector.Connect(ctx)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	other := session{Conn: conn}
	found, err := other.queryLastValue(ctx, "SHOW GLOBAL STATUS LIKE 'Uptime'")
	if err != nil {
		return
	}
	text, _ := found.(string)
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err == nil && time.Duration(seconds)*time.Second > time.Since(s.since) {
		_ = other.execStatement(ctx, "KILL "+strconv.FormatUint(s.id, 10))
	}
}

// killStatement asks the server, over a second connection, to end the statement of the session. It
// returns no error: on a failure the caller cuts the session.
func (s *session) killStatement(ctx context.Context) {
	// The context that ended is why this is called.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
	defer cancel()
	conn, err := s.connector.Connect(ctx)
	if err != nil {
		return
	}
	_, _ = conn.(sqldriver.ExecerContext).ExecContext(ctx, "KILL QUERY "+strconv.FormatUint(s.id, 10), nil)
	_ = conn.Close()
}

// ResetSession lets the driver check that the connection still works.
func (s *session) ResetSession(ctx context.Context) error {
	return s.Conn.(sqldriver.SessionResetter).ResetSession(ctx)
}

// IsValid lets the driver say whether the connection may be used again.
func (s *session) IsValid() bool { return s.Conn.(sqldriver.Validator).IsValid() }
