package engine

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// newLocal is the embedded database, which the first execution opens.
func newLocal(c Config) *lazy {
	o := duckdb.Options{Path: c.DBPath, Connections: c.MaxExecutions}
	if c.DBMemoryMiB > 0 {
		o.MemoryLimit = strconv.Itoa(c.DBMemoryMiB) + "MiB"
	}
	if c.DBPath == "" {
		o.Setup = c.Setup
	}
	return newLazy(func(ctx context.Context) (executor.Executor, error) {
		db, err := duckdb.Open(ctx, o)
		if err != nil {
			return nil, err // not a nil *duckdb.Executor
		}
		return db, nil
	})
}
