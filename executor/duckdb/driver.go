package duckdb

import (
	"context"
	"errors"
	"syscall"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type duckdb, and the embedded database of an engine.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "duckdb", OpenEmbedded: func(ctx context.Context, e warehouse.EmbeddedDatabase) (executor.Executor, error) {
		db, err := Open(ctx, Options(e))
		if err != nil {
			return nil, err // not a nil *Executor
		}
		return db, nil
	}}
}

// CreateDatabase makes a database file by running a script, which may hold several
// statements. An existing file is opened and the script runs on it. The error is an
// *executor.Error, and wraps syscall.ENOSPC if the disk is full.
func CreateDatabase(ctx context.Context, path, script string) error {
	// Without CHECKPOINT the database writes its rows when it closes, which reports no error.
	db, err := Open(ctx, Options{Path: path, ReadWrite: true, Setup: []string{script, "CHECKPOINT"}})
	if errors.Is(err, syscall.ENOSPC) {
		return execerr.ConfigError("no space left for the DuckDB database", syscall.ENOSPC)
	}
	if err != nil {
		return err
	}
	return db.Close()
}
