package mcp

import "github.com/semlayer/semlayer/planner/query"

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
