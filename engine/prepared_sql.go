package engine

import (
	"context"

	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// SQLStatementDescription is what is known of a statement before its parameters have values.
type SQLStatementDescription = semsql.StatementDescription

// DescribeSQL finds the columns of a statement and the types of its parameters. Of declared, "" is a type
// that the statement decides. The tree is that of the text, or nil. No warehouse is touched. Errors are those of CompileSQL.
func (e *Engine) DescribeSQL(ctx context.Context, s *query.SQLStatement, tree *parse.Query, declared []string) (d *SQLStatementDescription, err error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneSQL, nil, s.Dialect, s.Connection)
	if err != nil {
		return nil, err
	}
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	held, err := e.reservePlanMemory(s)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	d, err = e.statementModel().Describe(ctx, toSemsqlStatement(s, tree), declared, t.planner)
	if err != nil {
		return nil, e.toPlanError(ctx, err)
	}
	return d, nil
}

// PreparedSQL is a statement that was compiled for execution. It is immutable.
type PreparedSQL struct {
	// Columns are those of the rows by position. Two may have one name.
	Columns []SQLColumn

	engine    *Engine
	statement query.SQLStatement
	compiled  *compiledQuery
}

// PrepareSQL compiles a statement for execution; no warehouse is touched. The tree is that of the text, or nil. Errors are
// those of CompileSQL, and code config for a warehouse that cannot execute it.
func (e *Engine) PrepareSQL(ctx context.Context, s *query.SQLStatement, tree *parse.Query) (*PreparedSQL, error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneSQL, nil, s.Dialect, s.Connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	mapped, compiled, err := e.compileSQL(ctx, s, tree, t)
	if err != nil {
		return nil, err
	}
	return &PreparedSQL{Columns: mapped.Columns, engine: e, statement: *s, compiled: compiled}, nil
}

// TextBytes returns the length of the text that the warehouse gets.
func (p *PreparedSQL) TextBytes() int { return len(p.compiled.sql) }

// Stream starts the statement, as StreamSQL does. The columns of the stream have other names, which
// differ in more than case.
func (p *PreparedSQL) Stream(ctx context.Context) (*Stream, error) {
	s, err := p.engine.startStream(ctx, p.compiled, nil)
	return s, p.engine.suggestConnection(err, p.engine.sqlCompiler(ctx, &p.statement))
}
