package engine

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner"
)

// withPlanColumnNames gives rows the column names of the plan: a warehouse truncates
// names that are too long for it, or folds their case.
func withPlanColumnNames(rows executor.Rows, columns []planner.OutputColumn) executor.Rows {
	before := rows.Schema()
	fields := before.Fields()
	if len(fields) != len(columns) {
		return rows
	}
	changed := false
	for i := range fields {
		changed = changed || fields[i].Name != columns[i].Name
		fields[i].Name = columns[i].Name
	}
	if !changed {
		return rows
	}
	metadata := before.Metadata()
	return &rowsWithPlanColumnNames{rows, arrow.NewSchema(fields, &metadata)}
}

type rowsWithPlanColumnNames struct {
	executor.Rows
	schema *arrow.Schema
}

func (r *rowsWithPlanColumnNames) Schema() *arrow.Schema { return r.schema }

func (r *rowsWithPlanColumnNames) Next(ctx context.Context) (arrow.RecordBatch, error) {
	batch, err := r.Rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	defer batch.Release()
	return array.NewRecordBatch(r.schema, batch.Columns(), batch.NumRows()), nil
}
