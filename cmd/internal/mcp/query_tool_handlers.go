package mcp

import (
	"context"
	"encoding/json"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

func (s *server) reportCapabilities(_ context.Context, arguments json.RawMessage) (toolResult, error) {
	if err := query.DecodeEmptyBody(arguments); err != nil {
		return toolResult{}, err
	}
	found := s.service.Capabilities()
	if s.config.DisableExecute {
		found.Features = append(found.Features, engine.FeatureCompileOnly)
	}
	return newToolResult(found)
}

func (s *server) validateModel(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	model, err := query.DecodeValidateBody(arguments)
	if err != nil {
		return toolResult{}, err
	}
	v, err := s.service.Validate(ctx, []byte(model))
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(v)
}

// newStatementCall returns the call that serves what a verb of the statement makes of a query.
func newStatementCall[Q query.Body, A any](s *server, decode func([]byte) (Q, error), verb func(engine.Statement, context.Context) (*A, error)) toolCall {
	return func(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
		q, err := decode(arguments)
		if err != nil {
			return toolResult{}, err
		}
		prepared, err := s.service.Prepare(ctx, q)
		if err != nil {
			return toolResult{}, err
		}
		answer, err := verb(prepared, ctx)
		if err != nil {
			return toolResult{}, err
		}
		return newToolResult(answer)
	}
}

// newRowsCall returns the call that serves the rows of a query. The path and the command are those that return all rows.
func newRowsCall[Q query.Body](s *server, decode func([]byte) (Q, error), path, command string) toolCall {
	return func(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
		q, err := decode(arguments)
		if err != nil {
			return toolResult{}, err
		}
		q.RequestHints()
		ctx = engine.WithFirstRowsLimit(ctx, s.limits.rows, s.limits.bytes)
		prepared, err := s.service.Prepare(ctx, q)
		if err != nil {
			return toolResult{}, err
		}
		result, err := prepared.Execute(ctx)
		if err != nil {
			return toolResult{}, err
		}
		return s.limits.rowsResult(result, path, command)
	}
}

func (s *server) attributeMetricChange(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeAttribute(arguments)
	if err != nil {
		return toolResult{}, err
	}
	report, err := s.service.Attribute(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.attributionResult(report)
}

// The rows that run_sql returns.
const (
	defaultStatementRows = 100
	maxStatementRows     = 10000
)

// decodeLimitedStatement reads the arguments of run_sql.
func decodeLimitedStatement(arguments []byte) (*query.SQLStatement, error) {
	q, err := query.DecodeSQLWithLimit(arguments)
	if err != nil {
		return nil, err
	}
	rows := int64(defaultStatementRows)
	if q.MaxRows != nil {
		rows = min(*q.MaxRows, maxStatementRows)
	}
	q.MaxRows = &rows
	return q, nil
}
