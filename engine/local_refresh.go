package engine

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/engine/internal/rollups"
	"github.com/semlayer/semlayer/engine/internal/typehint"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/coerce"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
)

// refreshLocalRollups builds the tables of local rollups from what the connection reads. All have the time before the first of them, so that one query
// can read several. The tables that were built before an error stay.
func (e *Engine) refreshLocalRollups(ctx context.Context, q RollupRefresh, chosen []*catalog.Rollup, t compileTarget) (done []RefreshedRollup, err error) {
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	db, err := e.executorOfTarget(ctx, t)
	if err != nil {
		return nil, err
	}
	reads := warehouse.NewReadSession(db)
	now, err := rollups.Clock(ctx, reads, t.dialect)
	if err != nil {
		return nil, err
	}
	file, err := e.openLocalFile(ctx, t)
	if err != nil {
		return nil, err
	}
	var failed rollupFailures
	for _, r := range chosen {
		b := rollups.LocalBuild{
			Build: *e.newRollupBuild(q, r, t, reads), File: file,
			Rows: func(ctx context.Context, planned *planner.Planned) (executor.Rows, error) {
				return e.rowsOfRollup(ctx, db, planned, t)
			},
		}
		b.Now = now
		action, failure := b.Run(ctx)
		if failure != nil && failed.add(ctx, r, failure) {
			continue
		} else if err = failure; err != nil {
			break
		}
		done = append(done, RefreshedRollup{Name: r.Name, Action: action, AsOf: formatAsOf(now), Statements: b.Statements})
	}
	if err == nil {
		err = failed.err()
	}
	if len(done) == 0 || q.DryRun {
		return done, errors.Join(err, file.Discard())
	}
	if failed := file.Publish(context.WithoutCancel(ctx)); failed != nil {
		return nil, errors.Join(err, failed)
	}
	return done, err
}

// openLocalFile opens a copy of the local file of a connection, to change it.
func (e *Engine) openLocalFile(ctx context.Context, t compileTarget) (*rollups.LocalFile, error) {
	c := e.warehouses.config
	local := e.warehouses.targets[embeddedDialect]
	return rollups.OpenLocalFile(ctx, e.localFilePath(t.connectionName()), local.dialect, func(ctx context.Context, path string) (executor.WriteSession, error) {
		o := c.localFileOptions(path)
		o.ReadWrite = true
		return warehouse.OpenEmbeddedWriter(ctx, o, c.warehouseOptions())
	})
}

// rowsOfRollup starts the statement of a rollup on its connection. The columns have the types that the model declares, where the warehouse has
// no such type, or where the column has no value.
func (e *Engine) rowsOfRollup(ctx context.Context, db executor.Executor, planned *planner.Planned, t compileTarget) (executor.Rows, error) {
	c, err := e.printPlanAsSQL(ctx, planned, t, false, "")
	if err != nil {
		return nil, err
	}
	rows, err := db.Query(ctx, c.sql)
	if err != nil {
		return nil, err
	}
	typed := map[string]arrow.Field{}
	for _, column := range c.columns {
		if f, ok := typehint.FieldOfType(column.Name, column.Type); ok {
			typed[column.Name] = f
		}
	}
	return coerce.CoerceRows(coerce.TypeNulls(withPlanColumnNames(rows, c.columns), typed), columnTypeHints(c.columns)), nil
}
