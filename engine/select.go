package engine

import (
	"context"

	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// DetailQuery is the body of a detail query: one row for each row of a root
// dataset.
type DetailQuery = query.DetailQuery

// DecodeDetail reads the JSON body of a detail query; errors as of
// DecodeMetric.
func DecodeDetail(body []byte) (*DetailQuery, error) { return query.DecodeDetail(body) }

// CompileSelect compiles a detail query to SQL; errors as of CompileMetrics.
func (e *Engine) CompileSelect(ctx context.Context, q *DetailQuery) (*Compiled, error) {
	t, err := e.chooseTarget(ctx, PlaneDetail, nil, q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	c, err := e.compileSelect(ctx, q, t)
	if err != nil {
		return nil, err
	}
	return &Compiled{Dialect: t.dialect.Name(), SQL: c.sql, Warnings: c.warnings, Saved: c.saved}, nil
}

func (e *Engine) compileSelect(ctx context.Context, q *DetailQuery, t target) (c *compiled, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(Outcome{Err: err}) }()
	defer e.recoverToError(&err)
	return e.statements.compiled(q, t, func() (*compiled, error) {
		planned, err := e.planner.PlanDetail(ctx, q, t.planner)
		if err != nil {
			return nil, e.planError(ctx, err)
		}
		return e.emit(ctx, planned, t, q.Pretty, q.Saved)
	})
}

// ExplainSelect plans a detail query; errors as of CompileMetrics.
func (e *Engine) ExplainSelect(ctx context.Context, q *DetailQuery) (x *Explained, err error) {
	t, err := e.chooseTarget(ctx, PlaneDetail, nil, q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(Outcome{Err: err}) }()
	defer e.recoverToError(&err)
	planned, err := e.planner.PlanDetail(ctx, q, t.planner)
	if err != nil {
		return nil, e.planError(ctx, err)
	}
	return &Explained{Plan: plan.Explain(planned.Root), Saved: e.savedName(q.Saved)}, nil
}

// ExecuteSelect compiles a detail query and runs it; see ExecuteMetrics.
func (e *Engine) ExecuteSelect(ctx context.Context, q *DetailQuery) (*Result, error) {
	c, err := e.compileSelectForExecution(ctx, q)
	if err != nil {
		return nil, err
	}
	return e.runInSlot(ctx, c)
}

// compileSelectForExecution compiles a detail query for a target that can execute it.
func (e *Engine) compileSelectForExecution(ctx context.Context, q *DetailQuery) (*compiled, error) {
	t, err := e.chooseTarget(ctx, PlaneDetail, nil, q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	if err := t.checkExecutable(); err != nil {
		return nil, err
	}
	return e.compileSelect(ctx, q, t)
}
