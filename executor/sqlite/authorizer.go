package sqlite

import (
	"slices"
	"strings"
	"unsafe"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

// authorizerCallback is authorize as SQLite calls it.
var authorizerCallback = callbackAddress(authorizeAction)

type authorizerFunc = func(tls *libc.TLS, data uintptr, action int32, first, second, database, inner uintptr) int32

// callbackAddress returns the address by which the translated code calls a function. What
// it points to is a package's function and stays where it is.
func callbackAddress[F authorizerFunc | sqlFunction](f F) uintptr {
	return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f}))
}

// authorizeAction decides on each action of a statement while it is prepared. Virtual tables prepare
// inner statements that would write; these never run, because the file is read-only. The integer
// at stepping is 1 while a statement runs: SQLite then prepares an inner statement of a
// virtual table.
func authorizeAction(_ *libc.TLS, stepping uintptr, action int32, first, second, _, _ uintptr) int32 {
	switch action {
	case sqlite.SQLITE_SELECT, sqlite.SQLITE_READ, sqlite.SQLITE_RECURSIVE,
		sqlite.SQLITE_INSERT, sqlite.SQLITE_UPDATE, sqlite.SQLITE_DELETE:
		return sqlite.SQLITE_OK
	case sqlite.SQLITE_FUNCTION:
		if !strings.EqualFold(libc.GoString(second), "load_extension") {
			return sqlite.SQLITE_OK
		}
	case sqlite.SQLITE_PRAGMA:
		name := strings.ToLower(libc.GoString(first))
		// The one that full-text tables read.
		if name == "data_version" {
			return sqlite.SQLITE_OK
		}
		if slices.Contains(allowedPragmas(), name) && libc.AtomicLoadPInt32(stepping) == 1 {
			return sqlite.SQLITE_OK
		}
	}
	return sqlite.SQLITE_DENY
}

// allowedPragmas lists the pragmas that a query may read as tables, such as
// pragma_table_xinfo('orders'): they describe tables and their keys. As statements they
// are rejected.
func allowedPragmas() []string {
	return []string{"table_list", "table_xinfo", "index_list", "index_info", "foreign_key_list"}
}
