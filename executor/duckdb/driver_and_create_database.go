package duckdb

import (
	"context"

	"github.com/semlayer/semlayer/executor"
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
// *executor.Error.
func CreateDatabase(ctx context.Context, path, script string) error {
	db, err := Open(ctx, Options{Path: path, ReadWrite: true, Setup: []string{script}})
	if err != nil {
		return err
	}
	return db.Close()
}
