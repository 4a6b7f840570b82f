package engine

import (
	"context"

	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// CompileSelect compiles a detail query to SQL; errors as of CompileMetrics.
func (e *Engine) CompileSelect(ctx context.Context, q *query.DetailQuery) (*Compiled, error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneDetail, nil, q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	c, err := e.compileDetailQuery(ctx, q, t)
	if err != nil {
		return nil, err
	}
	return &Compiled{Dialect: t.dialect.Name(), SQL: c.sql, ResolvedTimeRange: c.ranges, Warnings: c.warnings, Saved: c.saved}, nil
}

func (e *Engine) compileDetailQuery(ctx context.Context, q *query.DetailQuery, t compileTarget) (c *compiledQuery, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	resolve := func() ([]plan.ResolvedTimeRange, error) { return e.planner.ResolveDetailRanges(ctx, q, t.planner) }
	return e.statements.getOrCompile(q, t, resolve, func(queryBytes int) (*compiledQuery, error) {
		held, target, err := e.reserveQueryPlanMemory(queryBytes, t.planner)
		if err != nil {
			return nil, err
		}
		defer held.Release()
		planned, err := e.planner.PlanDetail(ctx, q, target)
		if err != nil {
			return nil, e.toPlanError(ctx, err)
		}
		return e.printPlanAsSQL(ctx, planned, t, q.Pretty, q.Saved)
	})
}

// ExplainSelect plans a detail query; errors as of CompileMetrics.
func (e *Engine) ExplainSelect(ctx context.Context, q *query.DetailQuery) (x *Explained, err error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneDetail, nil, q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	held, target, err := e.reserveQueryPlanMemory(len(q.AppendCacheKey(nil)), t.planner)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	planned, err := e.planner.PlanDetail(ctx, q, target)
	if err != nil {
		return nil, e.toPlanError(ctx, err)
	}
	return &Explained{Plan: plan.Explain(planned.Root), Saved: e.declaredSavedQueryName(q.Saved)}, nil
}

// ExecuteSelect compiles a detail query and runs it; see ExecuteMetrics.
func (e *Engine) ExecuteSelect(ctx context.Context, q *query.DetailQuery) (*Result, error) {
	c, err := e.compileDetailQueryForExecution(ctx, q)
	if err != nil {
		return nil, err
	}
	result, err := e.executeWithEmptyResultHints(ctx, c, e.newDetailEmptyResultProbesFinder(q, c.target))
	return result, e.suggestConnection(err, e.detailQueryCompiler(ctx, q))
}

// detailQueryCompiler compiles a detail query for another target.
func (e *Engine) detailQueryCompiler(ctx context.Context, q *query.DetailQuery) func(compileTarget) error {
	return func(t compileTarget) error { _, err := e.compileDetailQuery(ctx, q, t); return err }
}

// compileDetailQueryForExecution compiles a detail query for a target that can execute it.
func (e *Engine) compileDetailQueryForExecution(ctx context.Context, q *query.DetailQuery) (*compiledQuery, error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneDetail, nil, q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	return e.compileDetailQuery(ctx, q, t)
}
