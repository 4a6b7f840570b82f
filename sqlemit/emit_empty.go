package sqlemit

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// EmitSelectAllColumnsNoRows prints the statement that selects all columns of a source and no row, so that its
// result names the columns. Errors are as of Emit.
func EmitSelectAllColumnsNoRows(ctx context.Context, source sqlexpr.DatasetTableOrQuery, d *Dialect) (string, error) {
	const alias = "source_columns"
	w := &writer{d: d, buf: make([]byte, 0, 256), contextErr: ctx.Err}
	w.appendText("SELECT * FROM ")
	w.printScan(&plan.Scan{Source: source, Alias: alias})
	w.appendText(" LIMIT 0")
	if w.shouldStopPrinting() {
		return "", w.err
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return string(w.buf), nil
}
