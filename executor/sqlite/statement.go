package sqlite

import (
	"context"
	"time"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

// statement is one prepared statement.
type statement struct {
	conn   *connection
	handle uintptr
	begun  bool
}

// prepareQuery takes exactly one statement that reads and yields columns.
func (c *connection) prepareQuery(ctx context.Context, sql string) (*statement, error) {
	text, err := libc.CString(renameCaseFunctionCalls(sql))
	if err != nil {
		return nil, driver.DriverFailureError("SQLite is out of memory", err)
	}
	defer libc.Xfree(c.tls, text)
	handle, tail, err := c.compileFirstStatement(ctx, text)
	if err != nil {
		return nil, err
	}
	s := &statement{conn: c, handle: handle}
	if handle == 0 {
		return nil, driver.EmptyStatementError()
	}
	// White space and comments may follow.
	second, _, err := c.compileFirstStatement(ctx, tail)
	switch {
	case second != 0 || err != nil:
		sqlite.Xsqlite3_finalize(c.tls, second)
		s.finalize()
		return nil, driver.SQLRejectedError("more than one statement in the text", nil)
	case sqlite.Xsqlite3_stmt_readonly(c.tls, handle) == 0 || sqlite.Xsqlite3_column_count(c.tls, handle) == 0:
		s.finalize()
		return nil, driver.SQLRejectedError("the statement is not a query", nil)
	}
	return s, nil
}

// compileFirstStatement reads the first statement of a text and returns where the rest begins. A text without
// a statement has the handle 0.
func (c *connection) compileFirstStatement(ctx context.Context, text uintptr) (handle, tail uintptr, err error) {
	rc := retryWhileLocked(ctx, func() int32 {
		return sqlite.Xsqlite3_prepare_v2(c.tls, c.db, text, -1, c.out, c.out+pointerSize)
	})
	handle, tail = readPointer(c.out), readPointer(c.out+pointerSize)
	if rc != sqlite.SQLITE_OK {
		return 0, tail, c.classifyError(rc)
	}
	return handle, tail, nil
}

func (s *statement) finalize() {
	if s.handle != 0 {
		sqlite.Xsqlite3_finalize(s.conn.tls, s.handle)
		s.handle = 0
	}
}

// stepToNextRow goes to the next row. A statement that has begun has its lock.
func (s *statement) stepToNextRow(ctx context.Context) (more bool, err error) {
	libc.AtomicStorePInt32(s.conn.steppingFlagAddress(), 1)
	defer libc.AtomicStorePInt32(s.conn.steppingFlagAddress(), 0)
	var rc int32
	if s.begun {
		rc = sqlite.Xsqlite3_step(s.conn.tls, s.handle)
	} else {
		rc = retryWhileLocked(ctx, func() int32 { return sqlite.Xsqlite3_step(s.conn.tls, s.handle) })
	}
	switch rc {
	case sqlite.SQLITE_ROW:
		s.begun = true
		return true, nil
	case sqlite.SQLITE_DONE:
		return false, nil
	default:
		return false, s.conn.classifyError(rc)
	}
}

// retryWhileLocked repeats a call while a writer has the file locked.
func retryWhileLocked(ctx context.Context, call func() int32) int32 {
	var until time.Time
	for {
		rc := call()
		if rc&primaryCodeMask != sqlite.SQLITE_BUSY || ctx.Err() != nil {
			return rc
		}
		if until.IsZero() {
			until = time.Now().Add(maxLockWait)
		}
		if time.Now().After(until) {
			return rc
		}
		// SQLite has waited already, where that could help.
		time.Sleep(lockRetryPause)
	}
}

func (s *statement) columnCount() int {
	return int(sqlite.Xsqlite3_column_count(s.conn.tls, s.handle))
}

func (s *statement) columnName(i int) string {
	return restoreLowerUpperInErrorMessage(libc.GoString(sqlite.Xsqlite3_column_name(s.conn.tls, s.handle, int32(i))))
}

// declaredType returns the type in the table's definition, "" for an expression.
func (s *statement) declaredType(i int) string {
	return libc.GoString(sqlite.Xsqlite3_column_decltype(s.conn.tls, s.handle, int32(i)))
}

// cellValueAt reads a cell of the row. Its bytes are good until the next step.
func (s *statement) cellValueAt(i int) cellValue {
	tls, at := s.conn.tls, int32(i)
	switch sqlite.Xsqlite3_column_type(tls, s.handle, at) {
	case sqlite.SQLITE_INTEGER:
		return cellValue{class: storageClassInteger, whole: sqlite.Xsqlite3_column_int64(tls, s.handle, at)}
	case sqlite.SQLITE_FLOAT:
		return cellValue{class: storageClassFloat, double: sqlite.Xsqlite3_column_double(tls, s.handle, at)}
	case sqlite.SQLITE_TEXT:
		p := sqlite.Xsqlite3_column_text(tls, s.handle, at)
		return cellValue{class: storageClassText, bytes: s.cellBytes(p, at)}
	case sqlite.SQLITE_BLOB:
		p := sqlite.Xsqlite3_column_blob(tls, s.handle, at)
		return cellValue{class: storageClassBlob, bytes: s.cellBytes(p, at)}
	default:
		return cellValue{}
	}
}

func (s *statement) cellBytes(p uintptr, at int32) []byte {
	n := sqlite.Xsqlite3_column_bytes(s.conn.tls, s.handle, at)
	if p == 0 || n == 0 {
		return nil
	}
	return libc.GoBytes(p, int(n))
}
