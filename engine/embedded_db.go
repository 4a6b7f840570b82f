package engine

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// newEmbeddedDB returns the embedded database, which the first execution opens.
func newEmbeddedDB(c Config) *lazyExecutor {
	return newLazyExecutor(func(ctx context.Context) (executor.Executor, error) {
		if err := c.checkEmbeddedDriver(); err != nil {
			return nil, err
		}
		return warehouse.OpenEmbedded(ctx, c.embeddedOptions(), c.warehouseOptions())
	})
}

// embeddedOptions describes the embedded database.
func (c Config) embeddedOptions() warehouse.Embedded {
	e := warehouse.Embedded{Path: c.DBPath, Connections: c.MaxExecutions}
	if c.DBMemoryMiB > 0 {
		e.MemoryLimit = strconv.Itoa(c.DBMemoryMiB) + "MiB"
	}
	if c.DBPath == "" {
		e.Setup = c.Setup
	}
	return e
}

// checkEmbeddedDriver returns an *ExecuteError where no driver was handed in that opens the
// embedded database.
func (c Config) checkEmbeddedDriver() error {
	if err := warehouse.CheckEmbedded(c.warehouseOptions()); err != nil {
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
