package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	defaultPoolSize      = 16
	inMemoryDatabasePath = ":memory:"
)

// Options say which database to open.
type Options struct {
	// Path of the database file; ":memory:" for a database without tables.
	Path string
	// Connections bounds the statements that run at once; 0 means 16. Further
	// queries wait for one to end.
	Connections int
}

// Open opens the file and reads its schema. Its errors have the code config, or
// timeout when ctx ends first.
func Open(ctx context.Context, o Options) (*Executor, error) {
	switch {
	case o.Path == "":
		return nil, driver.ConfigError("the path of the SQLite database is empty", nil)
	case strings.ContainsRune(o.Path, 0):
		return nil, driver.ConfigError("the path of the SQLite database holds a NUL byte", nil)
	}
	if o.Path != inMemoryDatabasePath {
		// SQLite reports a missing file and an unreadable one alike.
		if _, err := os.Stat(o.Path); err != nil {
			return nil, driver.ConfigError("the SQLite database "+filepath.Base(o.Path)+" is not there", err)
		}
	}
	limit := o.Connections
	if limit <= 0 {
		limit = defaultPoolSize
	}
	e := &Executor{path: o.Path, slots: driver.NewSlots(limit)}
	if err := e.checkSchemaReadable(ctx); err != nil {
		_ = e.Close()
		if late := driver.ContextError(ctx); late != nil {
			return nil, late
		}
		return nil, driver.ConfigError("the SQLite database does not open: "+errorMessageWithoutCode(err), err)
	}
	return e, nil
}
