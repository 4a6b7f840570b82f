package datacheck

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/plan"
)

// compileFields has the warehouse compile the expressions of fields of one dataset. It reads no row,
// except where a type is known from values alone.
func (c *checker) compileFields(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (answer, error) {
	node, err := c.rows(ctx, d, fields)
	if err != nil {
		return answer{}, err
	}
	limit := &plan.Limit{Input: node}
	if c.typesFollowValues() && c.options.seeks(CodeDatatypeMismatch) {
		limit.N = sampledRows
		if c.options.MaxRows > 0 {
			limit.N = min(limit.N, c.options.MaxRows)
		}
	}
	return c.warehouse.query(ctx, limit)
}

// nearestTables lists the tables of the warehouse whose names are nearest to that of a source.
func (c *checker) nearestTables(ctx context.Context, source sqlexpr.Source) ([]string, error) {
	if c.Tables == nil || source.Query != "" {
		return nil, nil
	}
	names, err := c.Tables(ctx)
	if err != nil {
		return nil, ctx.Err() // a warehouse that does not list its tables costs the candidates alone
	}
	return suggest.Nearest(source.Text(), names, maxCandidates), nil
}
