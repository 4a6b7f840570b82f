package servers

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
)

// QueryTable runs a statement and reads its rows. The columns of a plan, nil for a
// statement without one, give types that a server may not report. An error
// shows the statement.
func QueryTable(ctx context.Context, db executor.Executor, sql string, columns []planner.OutputColumn) (*table.Table, error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, sql)
	}
	defer func() { _ = rows.Close() }()
	result, err := jsonrows.CollectResult(ctx, rows, TypeHints(columns))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, sql)
	}
	t, err := table.FromJSON(result.Columns, result.Rows)
	if err == nil && len(columns) == len(t.Columns) {
		for i, c := range columns {
			t.Columns[i] = c.Name // a server cuts long names
		}
	}
	return t, err
}

// TypeHints give a reader of rows the types that a server may not report.
func TypeHints(columns []planner.OutputColumn) jsonrows.TypeHints {
	hints := jsonrows.TypeHints{}
	for _, c := range columns {
		switch c.Type {
		case sqlexpr.TypeBool:
			hints[c.Name] = jsonrows.HintBoolean
		case sqlexpr.TypeDate:
			hints[c.Name] = jsonrows.HintDate
		case sqlexpr.TypeTimestamp:
			hints[c.Name] = jsonrows.HintTimestamp
		case sqlexpr.TypeTimestampTZ:
			hints[c.Name] = jsonrows.HintUTCTimestamp
		}
	}
	return hints
}
