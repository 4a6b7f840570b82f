package engine

import (
	"context"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// CreateDatabase makes a DuckDB file by running a script, which may hold
// several statements. An existing file is opened and the script runs on it. Its
// error is an *ExecuteError.
func CreateDatabase(ctx context.Context, path, script string) error {
	db, err := duckdb.Open(ctx, duckdb.Options{Path: path, ReadWrite: true, Setup: []string{script}})
	if err != nil {
		return err
	}
	return db.Close()
}
