package sqlite

import (
	"errors"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const primaryCodeMask = 0xff

// classifyError names the failure of the last call on the connection.
func (c *connection) classifyError(rc int32) error {
	text := restoreLowerUpperInErrorMessage(libc.GoString(sqlite.Xsqlite3_errmsg(c.tls, c.db)))
	if c.db == 0 {
		text = libc.GoString(sqlite.Xsqlite3_errstr(c.tls, rc))
	}
	switch rc & primaryCodeMask {
	case sqlite.SQLITE_BUSY, sqlite.SQLITE_LOCKED:
		return driver.DriverFailureError("a writer keeps the SQLite database locked", nil)
	case sqlite.SQLITE_INTERNAL, sqlite.SQLITE_PERM, sqlite.SQLITE_ABORT, sqlite.SQLITE_NOMEM, sqlite.SQLITE_INTERRUPT,
		sqlite.SQLITE_IOERR, sqlite.SQLITE_CORRUPT, sqlite.SQLITE_FULL, sqlite.SQLITE_CANTOPEN, sqlite.SQLITE_PROTOCOL,
		sqlite.SQLITE_SCHEMA, sqlite.SQLITE_MISUSE, sqlite.SQLITE_NOLFS, sqlite.SQLITE_NOTADB:
		return driver.DriverFailureError("SQLite failed: "+text, nil)
	default:
		return driver.SQLRejectedError(text, nil)
	}
}

// errorMessageWithoutCode returns the text of an error without its code.
func errorMessageWithoutCode(err error) string {
	var e *executor.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
