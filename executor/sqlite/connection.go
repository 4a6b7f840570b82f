package sqlite

import (
	"context"
	"encoding/binary"
	"time"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	// sqliteLockWait is how long SQLite itself waits for a lock, lockRetryPause the time until the next
	// try, and maxLockWait the limit of all tries.
	sqliteLockWait = 100 * time.Millisecond
	lockRetryPause = 5 * time.Millisecond
	maxLockWait    = 5 * time.Second
	// maxValueBytes bounds the bytes of a text or blob, and thereby the memory and the
	// time of one function.
	maxValueBytes = 64 << 20

	pointerSize = 4 << (^uintptr(0) >> 63)
)

// connection is a database handle with the C memory that calls on it need. One
// goroutine at a time uses it.
type connection struct {
	driver.SlotHolder
	tls *libc.TLS
	db  uintptr
	// out takes what calls return through pointers: two of them. Behind them is the
	// integer that the authorizer reads, 1 while a statement steps.
	out   uintptr
	owner *Executor
	// spent reports that a pending interrupt may end the next statement.
	spent bool
}

// openConnection opens the file read-only and locks the connection down.
func openConnection(path string) (*connection, error) {
	return openConnectionFor(path, sqlite.SQLITE_OPEN_READONLY)
}

// openConnectionFor opens the file for reading, and locks the connection down, or for writing too.
func openConnectionFor(path string, flags int32) (*connection, error) {
	c := &connection{tls: libc.NewTLS()}
	c.out = libc.Xcalloc(c.tls, 3, pointerSize)
	name, err := libc.CString(path)
	if err != nil || c.out == 0 {
		c.close()
		return nil, driver.DriverFailureError("SQLite is out of memory", err)
	}
	defer libc.Xfree(c.tls, name)
	if path == inMemoryDatabasePath {
		flags = sqlite.SQLITE_OPEN_READWRITE | sqlite.SQLITE_OPEN_MEMORY
	}
	rc := sqlite.Xsqlite3_open_v2(c.tls, name, c.out, flags|sqlite.SQLITE_OPEN_NOMUTEX|sqlite.SQLITE_OPEN_PRIVATECACHE, 0)
	c.db = readPointer(c.out)
	if rc == sqlite.SQLITE_OK {
		rc = c.prepare()
	}
	if rc == sqlite.SQLITE_OK && (flags&sqlite.SQLITE_OPEN_READONLY != 0 || path == inMemoryDatabasePath) {
		rc = sqlite.Xsqlite3_set_authorizer(c.tls, c.db, authorizerCallback, c.steppingFlagAddress())
	}
	if rc != sqlite.SQLITE_OK {
		err := c.classifyError(rc)
		c.close()
		return nil, err
	}
	return c, nil
}

// prepare limits what statements of the connection can do beside reading and writing tables.
func (c *connection) prepare() int32 {
	for option, on := range map[int32]int32{
		sqlite.SQLITE_DBCONFIG_DEFENSIVE:      1,
		sqlite.SQLITE_DBCONFIG_TRUSTED_SCHEMA: 0,
		sqlite.SQLITE_DBCONFIG_ENABLE_TRIGGER: 0,
		sqlite.SQLITE_DBCONFIG_DQS_DML:        0,
	} {
		args := libc.NewVaList(on, uintptr(0))
		rc := sqlite.Xsqlite3_db_config(c.tls, c.db, option, args)
		libc.Xfree(c.tls, args)
		if rc != sqlite.SQLITE_OK {
			return rc
		}
	}
	sqlite.Xsqlite3_limit(c.tls, c.db, sqlite.SQLITE_LIMIT_ATTACHED, 0)
	sqlite.Xsqlite3_limit(c.tls, c.db, sqlite.SQLITE_LIMIT_LENGTH, maxValueBytes)
	sqlite.Xsqlite3_busy_timeout(c.tls, c.db, int32(sqliteLockWait.Milliseconds()))
	return c.addCaseFunctions()
}

// steppingFlagAddress returns the address of the integer that is 1 while a statement steps.
func (c *connection) steppingFlagAddress() uintptr { return c.out + 2*pointerSize }

func (c *connection) close() {
	if c.db != 0 {
		sqlite.Xsqlite3_close_v2(c.tls, c.db)
	}
	if c.out != 0 {
		libc.Xfree(c.tls, c.out)
	}
	c.tls.Close()
}

// runWithContext makes one blocking call and interrupts it when ctx ends. It returns when
// the call has returned, never before; but after a grace the executor gives up the
// connection, and calls the function of executor.WithAbandonFunc.
func (c *connection) runWithContext(ctx context.Context, call func() error) error {
	stopped, err := driver.RunCall(ctx, call, func(returned <-chan struct{}) {
		// The connection's own thread state is in use by the call.
		tls := libc.NewTLS()
		defer tls.Close()
		driver.InterruptUntilReturned(ctx, returned, func() { sqlite.Xsqlite3_interrupt(tls, c.db) }, func() bool {
			return c.owner.slots.ReleaseSlotWhileStatementRuns(&c.SlotHolder)
		})
	})
	c.spent = c.spent || stopped
	return err
}

// readPointer reads a pointer from C memory.
func readPointer(at uintptr) uintptr {
	raw := libc.GoBytes(at, pointerSize)
	if pointerSize == 4 {
		return uintptr(binary.NativeEndian.Uint32(raw))
	}
	return uintptr(binary.NativeEndian.Uint64(raw))
}
