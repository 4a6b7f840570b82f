package engine

import (
	"context"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// SQLError is the error of a statement: an error of the plan stage with a SQLSTATE and a position.
type SQLError = semsql.Error

// SQLColumn is a column of a statement's result.
type SQLColumn = semsql.Column

// CompiledStatement is the result of compiling a statement.
type CompiledStatement struct {
	Dialect string               `json:"dialect"`
	SQL     string               `json:"sql"` // for the warehouse
	Kind    semsql.StatementKind `json:"kind"`
	// Query is the *query.MetricQuery or *query.DetailQuery with the same rows by position, with the midnights of
	// DATE_TRUNC as dates; nil where no query has them.
	Query   any         `json:"query,omitempty"`
	Columns []SQLColumn `json:"columns"`
	// Warnings are findings that the caller should know about the result.
	Warnings []planerr.QueryWarning `json:"warnings,omitempty"`
}

// CompileSQL compiles a statement; no warehouse is touched. The error is a *SQLError, or one of
// the request: a *planerr.Error of code bad_request for a dialect that is not known, and code config for an
// unknown connection.
func (e *Engine) CompileSQL(ctx context.Context, s *query.SQLStatement) (*CompiledStatement, error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneSQL, nil, s.Dialect, s.Connection)
	if err != nil {
		return nil, err
	}
	mapped, compiled, err := e.compileSQL(ctx, s, nil, t)
	if err != nil {
		return nil, err
	}
	out := &CompiledStatement{Dialect: t.dialect.Name(), SQL: compiled.sql, Kind: mapped.Kind, Columns: mapped.Columns, Warnings: compiled.warnings}
	switch {
	case mapped.Metric != nil:
		out.Query = mapped.Metric
	case mapped.Detail != nil:
		out.Query = mapped.Detail
	}
	return out, nil
}

// ExplainSQL plans a statement; errors as of CompileSQL.
func (e *Engine) ExplainSQL(ctx context.Context, s *query.SQLStatement) (x *Explained, err error) {
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
	mapped, err := e.mapStatementToPlan(ctx, s, nil, t)
	if err != nil {
		return nil, err
	}
	return &Explained{Plan: plan.Explain(mapped.Planned.Root)}, nil
}

// ExecuteSQL compiles a statement and runs it; see ExecuteMetrics. Its columns have different names, else
// the error has code duplicate_output_name.
func (e *Engine) ExecuteSQL(ctx context.Context, s *query.SQLStatement) (*Result, error) {
	c, err := e.compileSQLForExecution(ctx, s)
	if err != nil {
		return nil, err
	}
	result, err := e.executeInSlot(ctx, c)
	return result, e.suggestConnection(err, e.sqlCompiler(ctx, s))
}

// sqlCompiler compiles a statement for another target.
func (e *Engine) sqlCompiler(ctx context.Context, s *query.SQLStatement) func(compileTarget) error {
	return func(t compileTarget) error { _, _, err := e.compileSQL(ctx, s, nil, t); return err }
}

// StreamSQL does for a statement what StreamMetrics does for a query.
func (e *Engine) StreamSQL(ctx context.Context, s *query.SQLStatement) (*Stream, error) {
	c, err := e.compileSQLForExecution(ctx, s)
	if err != nil {
		return nil, err
	}
	stream, err := e.startStream(ctx, c, nil)
	return stream, e.suggestConnection(err, e.sqlCompiler(ctx, s))
}

// compileSQLForExecution compiles a statement for a target that can execute it.
func (e *Engine) compileSQLForExecution(ctx context.Context, s *query.SQLStatement) (*compiledQuery, error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneSQL, nil, s.Dialect, s.Connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	mapped, compiled, err := e.compileSQL(ctx, s, nil, t)
	if err != nil {
		return nil, err
	}
	if err := mapped.CheckDuplicateColumnNames(); err != nil {
		return nil, err
	}
	compiled.columns = withStatementColumnNames(compiled.columns, mapped.Columns)
	return compiled, nil
}

func (e *Engine) compileSQL(ctx context.Context, s *query.SQLStatement, tree *parse.Query, t compileTarget) (mapped *semsql.CompiledStatement, c *compiledQuery, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	held, err := e.reservePlanMemory(s)
	if err != nil {
		return nil, nil, err
	}
	defer held.Release()
	if mapped, err = e.mapStatementToPlan(ctx, s, tree, t); err != nil {
		return nil, nil, err
	}
	if c, err = e.printPlanAsSQL(ctx, mapped.Planned, t, s.Pretty, ""); err != nil {
		return nil, nil, sqlerror.FromPlannerError(err, 0) // what the dialect lacks
	}
	if mapped.Kind == semsql.KindMetric {
		c.groups = unorderedGroupColumns(mapped.Planned)
	}
	return mapped, c, nil
}

// mapStatementToPlan maps a statement to a plan. The tree is that of its text, or nil.
func (e *Engine) mapStatementToPlan(ctx context.Context, s *query.SQLStatement, tree *parse.Query, t compileTarget) (*semsql.CompiledStatement, error) {
	mapped, err := e.statementModel().Compile(ctx, toSemsqlStatement(s, tree), t.planner)
	if err != nil {
		return nil, e.toPlanError(ctx, err)
	}
	return mapped, nil
}

func toSemsqlStatement(s *query.SQLStatement, tree *parse.Query) semsql.Statement {
	return semsql.Statement{SQL: s.SQL, Tree: tree, Params: s.Params, ContextFilter: s.ContextFilter, TimeZone: s.TimeZone, MaxRows: s.MaxRows}
}

// withStatementColumnNames gives the columns of a plan, whose names are unique, those of a statement, whose names need not be.
func withStatementColumnNames(columns []planner.OutputColumn, named []SQLColumn) []planner.OutputColumn {
	out := make([]planner.OutputColumn, len(columns))
	for i, c := range columns {
		c.Name = named[i].Name
		out[i] = c
	}
	return out
}
