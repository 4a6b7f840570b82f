package engine

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// newLocal is the embedded database, which the first execution opens.
func newLocal(c Config) *lazy {
	return newLazy(func(ctx context.Context) (executor.Executor, error) {
		if err := c.checkEmbedded(); err != nil {
			return nil, err
		}
		return warehouse.OpenEmbedded(ctx, c.embedded(), c.warehouses())
	})
}

// embedded describes the embedded database.
func (c Config) embedded() warehouse.Embedded {
	e := warehouse.Embedded{Path: c.DBPath, Connections: c.MaxExecutions}
	if c.DBMemoryMiB > 0 {
		e.MemoryLimit = strconv.Itoa(c.DBMemoryMiB) + "MiB"
	}
	if c.DBPath == "" {
		e.Setup = c.Setup
	}
	return e
}

// checkEmbedded returns an *ExecuteError where no driver was handed in that opens the
// embedded database.
func (c Config) checkEmbedded() error {
	if err := warehouse.CheckEmbedded(c.warehouses()); err != nil {
		return &ExecuteError{
			Code:    executor.CodeConfig,
			Message: "this build has no embedded database",
			Hint: "put duckdb.Driver() of github.com/semlayer/semlayer/executor/duckdb into Config.Drivers, " +
				"or name a connection",
			Err: err,
		}
	}
	return nil
}
