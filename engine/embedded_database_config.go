package engine

import (
	"context"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// newLazyEmbeddedDatabase returns the embedded database, which the first execution opens, or the one that
// is open, with its data files; nil without any.
func newLazyEmbeddedDatabase(ctx context.Context, c Config) (*lazyExecutor, *registeredDataFiles, error) {
	if d := c.Database; d != nil {
		shared := newLazyExecutor(func(context.Context) (executor.Executor, error) { return d.executor, nil })
		shared.borrowed = true
		return shared, describeRegisteredDataFiles(d.paths, d.set), nil
	}
	set, err := c.findDataFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	db := newLazyExecutor(func(ctx context.Context) (executor.Executor, error) { return c.openEmbeddedDatabase(ctx, set) })
	return db, describeRegisteredDataFiles(c.Data, set), nil
}

// embeddedDatabaseOptions describes the embedded database.
func (c Config) embeddedDatabaseOptions() warehouse.EmbeddedDatabase {
	e := warehouse.EmbeddedDatabase{Path: c.DBPath, Connections: c.MaxExecutions, MemoryLimit: c.database.memory, SpillLimit: c.database.spill}
	if c.Memory == nil && c.DBMemoryMiB > 0 {
		e.MemoryLimit = formatMiB(int64(c.DBMemoryMiB) << 20)
	}
	if c.DBPath == "" {
		e.Setup = c.Setup
	}
	return e
}

// checkEmbeddedDatabaseSettings returns an *ExecuteError where settings of the embedded database are
// given and no driver opens it.
func (c Config) checkEmbeddedDatabaseSettings() error {
	if c.DBPath == "" && len(c.Setup) == 0 && c.RollupDir == "" {
		return nil
	}
	return c.checkEmbeddedDriver()
}

// checkEmbeddedDriver returns an *ExecuteError where no driver was handed in that opens the
// embedded database.
func (c Config) checkEmbeddedDriver() error {
	if err := warehouse.CheckEmbeddedDriver(c.warehouseOptions()); err != nil {
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
