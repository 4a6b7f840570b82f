package engine

import (
	"context"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner"
)

// totalsRowCounter counts the rows of totals that pass: those whose level is not 0.
type totalsRowCounter struct {
	executor.Rows
	column int // of the level
	count  int
}

// newTotalsRowCounter returns rows that count those of totals; nil where the result has no level.
func newTotalsRowCounter(rows executor.Rows, columns []planner.OutputColumn, level string) *totalsRowCounter {
	at := slices.IndexFunc(columns, func(c planner.OutputColumn) bool { return c.Name == level })
	if level == "" || at < 0 {
		return nil
	}
	return &totalsRowCounter{Rows: rows, column: at}
}

// totalsRowCount returns how many rows of totals have passed.
func totalsRowCount(rows executor.Rows) int {
	if r, ok := rows.(*totalsRowCounter); ok {
		return r.count
	}
	return 0
}

func (r *totalsRowCounter) Next(ctx context.Context) (arrow.RecordBatch, error) {
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
