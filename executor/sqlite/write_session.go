package sqlite

import (
	"context"
	"errors"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// writeSession is a connection that may change the tables of a file.
type writeSession struct{ conn *connection }

// writeSessionSettings keep readers running while a transaction grows: pages that spilled to the file would lock it until the end. Views that read
// a table keep its name when another takes its place.
var writeSessionSettings = []string{"PRAGMA cache_spill = OFF", "PRAGMA legacy_alter_table = ON"}

// OpenWriteSession opens a file that exists for changes of its tables. Its errors are those of Open.
func OpenWriteSession(ctx context.Context, o Options) (executor.WriteSession, error) {
	check, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := check.Close(); err != nil {
		return nil, err
	}
	conn, err := openConnectionFor(o.Path, sqlite.SQLITE_OPEN_READWRITE)
	if err != nil {
		return nil, err
	}
	conn.owner = &Executor{path: o.Path, slots: driver.NewSlots(1)}
	s := &writeSession{conn}
	for _, sql := range writeSessionSettings {
		if err := s.Exec(ctx, sql); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// Exec runs a statement. One that needs a lock waits for those that hold it.
func (s *writeSession) Exec(ctx context.Context, sql string) error {
	_, err := s.Query(ctx, sql)
	return err
}

// Query returns the rows of a statement.
func (s *writeSession) Query(ctx context.Context, sql string) (out [][]*string, err error) {
	err = s.conn.runWithContext(ctx, func() error {
		out, err = s.conn.runWholeStatement(ctx, sql)
		return err
	})
	return out, err
}

// Close closes the connection.
func (s *writeSession) Close() error {
	s.conn.close()
	return nil
}

// runWholeStatement runs the first statement of a text and returns its rows.
func (c *connection) runWholeStatement(ctx context.Context, sql string) (out [][]*string, err error) {
	text, err := libc.CString(renameCaseFunctionCalls(sql))
	if err != nil {
		return nil, driver.DriverFailureError("SQLite is out of memory", err)
	}
	defer libc.Xfree(c.tls, text)
	handle, _, err := c.compileFirstStatement(ctx, text)
	if err != nil {
		return nil, err
	}
	st := &statement{conn: c, handle: handle}
	if handle == 0 {
		return nil, driver.EmptyStatementError()
	}
	defer st.finalize()
	for {
		more, err := st.stepToNextRow(ctx)
		if err != nil || !more {
			return out, err
		}
		row := make([]*string, st.columnCount())
		for i := range row {
			if sqlite.Xsqlite3_column_type(c.tls, st.handle, int32(i)) != sqlite.SQLITE_NULL {
				row[i] = new(string(st.cellBytes(sqlite.Xsqlite3_column_text(c.tls, st.handle, int32(i)), int32(i))))
			}
		}
		out = append(out, row)
	}
}
