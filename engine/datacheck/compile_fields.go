package datacheck

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/plan"
)

// compileFieldsOnWarehouse has the warehouse compile the expressions of fields of one dataset. It reads no row,
// except where a type is known from values alone.
func (c *dataChecker) compileFieldsOnWarehouse(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (statementResult, error) {
	node, err := c.rowsPlan(ctx, d, fields)
	if err != nil {
		return statementResult{}, err
	}
	limit := &plan.Limit{Input: node}
	if c.hasDynamicallyTypedColumns() && c.options.reportsAnyCode(CodeDatatypeMismatch) {
		limit.N = maxTypeSampleRows
		if c.options.MaxRows > 0 {
			limit.N = min(limit.N, c.options.MaxRows)
		}
	}
	return c.warehouse.runPlan(ctx, limit)
}

// nearestTables lists the tables of the warehouse whose names are nearest to that of a source.
func (c *dataChecker) nearestTables(ctx context.Context, source sqlexpr.DatasetTableOrQuery) ([]string, error) {
	if source.Query != "" || !slices.Contains(tables.SupportedDialects(), c.DB.Dialect()) {
		return nil, nil
	}
	var names []string
	if n := len(source.Table); n > 1 {
		names = c.listWarehouseTableNames(ctx, source.Table[n-2].Text)
	}
	if len(names) == 0 {
		names = c.listWarehouseTableNames(ctx)
	}
	return suggest.Nearest(source.Text(), names, maxCandidates), ctx.Err()
}

// listWarehouseTableNames lists the tables of schemas, or of the default schema, as a source names them. It returns none where the
// warehouse does not list its tables, which costs a finding its candidates.
func (c *dataChecker) listWarehouseTableNames(ctx context.Context, schemas ...string) []string {
	list, err := tables.Read(ctx, c.DB, tables.Options{Views: true, Schemas: schemas})
	if err != nil {
		return nil
	}
	names := make([]string, len(list))
	for i, t := range list {
		path := []string{t.Schema, t.Name}
		if t.InDefault {
			path = path[1:]
		}
		names[i] = sqlexpr.FormatPath(path...)
	}
	return names
}
