package mcp

import (
	"context"
	"encoding/json"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// The rows that run_sql returns.
const (
	defaultStatementRows = 100
	maxStatementRows     = 10000
)

func (s *server) runStatement(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeSQLWithLimit(arguments)
	if err != nil {
		return toolResult{}, err
	}
	rows := int64(defaultStatementRows)
	if q.MaxRows != nil {
		rows = min(*q.MaxRows, maxStatementRows)
	}
	q.MaxRows = &rows
	result, err := s.service.ExecuteSQL(engine.WithFirstRowsLimit(ctx, s.limits.rows, s.limits.bytes), q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.rowsResult(result, "/v1/sql/execute", "sql")
}

func (s *server) explainStatement(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeSQL(arguments)
	if err != nil {
		return toolResult{}, err
	}
	explained, err := s.service.ExplainSQL(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(explained)
}
