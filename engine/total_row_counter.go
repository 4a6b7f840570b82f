package engine

import (
	"context"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner"
)

// totalRowCounter counts the rows of totals that pass: those whose level is not 0.
type totalRowCounter struct {
	executor.Rows
	column int // of the level
	count  int
}

// newTotalRowCounter returns rows that count those of totals; nil where the result has no level.
func newTotalRowCounter(rows executor.Rows, columns []planner.OutputColumn, level string) *totalRowCounter {
	at := slices.IndexFunc(columns, func(c planner.OutputColumn) bool { return c.Name == level })
	if level == "" || at < 0 {
		return nil
	}
	return &totalRowCounter{Rows: rows, column: at}
}

// totalRowCount returns how many rows of totals have passed.
func totalRowCount(rows executor.Rows) int {
	if r, ok := rows.(*totalRowCounter); ok {
		return r.count
	}
	return 0
}

func (r *totalRowCounter) Next(ctx context.Context) (arrow.RecordBatch, error) {
	batch, err := r.Rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	levels := batch.Column(r.column)
	for i := range levels.Len() {
		if n, err := strconv.ParseFloat(levels.ValueStr(i), 64); err != nil || n != 0 {
			r.count++
		}
	}
	return batch, nil
}
