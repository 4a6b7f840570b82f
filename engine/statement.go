package engine

import (
	"context"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Statement is a query whose dialect and connection are chosen. It is safe for concurrent use, and each of its methods plans the query
// for itself. It is an interface so that a program can replace an Engine, as restapi.Service.
type Statement interface {
	// SQL compiles the query; no warehouse is touched. The error is a CodedError of the compile or plan stage, of a statement in SQL
	// a *SQLError.
	SQL(context.Context) (*Compiled, error)
	// Explain plans the query; errors as of SQL.
	Explain(context.Context) (*Explained, error)
	// Execute compiles the query and runs it. It returns when the rows are read, or when ctx ends: with a deadline that is code
	// timeout. A statement that still runs then keeps its slot until the warehouse has ended it. The columns of a statement in SQL have
	// different names, else the error has code duplicate_output_name.
	//
	// Beyond the errors of SQL there are those of the execute stage (*ExecuteError) and *BusyError.
	Execute(context.Context) (*Result, error)
	// Stream compiles the query, starts it and takes its first batch; errors as of Execute. The context bounds this call and not the
	// stream, which holds its slot until Close.
	Stream(context.Context) (*Stream, error)
}

// Explained is the result of explain: the logical plan as an indented tree,
// one node a line.
type Explained struct {
	Plan string `json:"plan"`
	// Saved is the saved query that the query uses; "" where it uses none.
	Saved string `json:"saved,omitempty"`
	// Rollups are as in a Compiled.
	Rollups []RollupUse `json:"rollups,omitempty"`
	// View is as in a Compiled.
	View *ViewUse `json:"view,omitempty"`
}

// statement is a Statement of an Engine.
type statement struct {
	engine *Engine
	target compileTarget
	body   statementBody
}

// statementBody is the body of a statement of an engine, which plans it for targets.
type statementBody interface {
	compile(context.Context, *Engine, compileTarget) (*compiledQuery, error)
	// compileRows compiles what the names of columns allow to run.
	compileRows(context.Context, *Engine, compileTarget) (*compiledQuery, error)
	// explain runs in a phase of planning.
	explain(context.Context, *Engine, compileTarget) (planned *planner.Planned, saved string, err error)
	// emptyResultProbes is nil where the query needs no hints.
	emptyResultProbes(*Engine, compileTarget) emptyResultProbesFinder
}

// Prepare chooses the dialect and the connection of a query. The error is a *planerr.Error of code bad_request for a dialect that is not
// known, and has code config for an unknown connection. A PositionalSQL is compiled too, for a warehouse that can execute it.
func (e *Engine) Prepare(ctx context.Context, body query.Body) (Statement, error) {
	plane, metrics, planned := PlaneSQL, []string(nil), statementBody(nil)
	switch q := body.(type) {
	case *query.MetricQuery:
		plane, metrics, planned = PlaneMetric, e.queryOrSavedMetrics(q.Metrics, q.Saved), queryBody{metricBody{q}}
	case *query.DetailQuery:
		plane, planned = PlaneDetail, queryBody{detailBody{q}}
	case *query.SQLStatement:
		planned = sqlBody{q, nil}
	case PositionalSQL:
		planned = sqlBody(q)
	}
	dialect, connection := body.Target()
	t, err := e.chooseAndReportTarget(ctx, plane, metrics, dialect, connection)
	if err != nil {
		return nil, err
	}
	s := statement{e, t, planned}
	if q, ok := body.(PositionalSQL); ok {
		return s.compilePositional(ctx, q)
	}
	return s, nil
}

func (s statement) SQL(ctx context.Context) (*Compiled, error) {
	c, err := s.body.compile(ctx, s.engine, s.target)
	if err != nil {
		return nil, err
	}
	recordStatements(ctx, c)
	return c.compiled(), nil
}

func (s statement) Explain(ctx context.Context) (x *Explained, err error) {
	if err := s.engine.checkSeesSQL(); err != nil {
		return nil, err
	}
	_, end := startPhase(ctx, PhasePlan, s.target)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer s.engine.recoverToError(&err)
	planned, saved, err := s.body.explain(ctx, s.engine, s.target.explaining())
	if err != nil {
		return nil, err
	}
	return &Explained{Plan: plan.Explain(planned.Root), Saved: s.engine.declaredSavedQueryName(saved), Rollups: planned.Rollups, View: planned.View}, nil
}

func (s statement) Execute(ctx context.Context) (*Result, error) {
	c, err := s.compileForExecution(ctx)
	if err != nil {
		return nil, err
	}
	execute := s.engine.executeWithEmptyResultHints
	if s.engine.keepsResults(ctx, c) {
		execute = s.engine.executeCached
	}
	result, err := execute(ctx, c, s.body.emptyResultProbes(s.engine, s.target))
	return result, s.suggestConnection(ctx, err)
}

func (s statement) Stream(ctx context.Context) (*Stream, error) {
	c, err := s.compileForExecution(ctx)
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, c)
}

func (s statement) stream(ctx context.Context, c *compiledQuery) (*Stream, error) {
	start := s.engine.startStream
	if s.engine.keepsResults(ctx, c) {
		start = s.engine.streamCached
	}
	out, err := start(ctx, c, s.body.emptyResultProbes(s.engine, s.target))
	return out, s.suggestConnection(ctx, err)
}

// compileForExecution compiles the query for a target that can execute it.
func (s statement) compileForExecution(ctx context.Context) (*compiledQuery, error) {
	if err := s.engine.checkExecutable(s.target); err != nil {
		return nil, err
	}
	queries, err := s.engine.compileWithStates(ctx, s.target, func(t compileTarget) ([]*compiledQuery, error) {
		c, err := s.body.compileRows(ctx, s.engine, t)
		return []*compiledQuery{c}, err
	})
	if err != nil {
		return nil, err
	}
	recordStatements(ctx, queries[0])
	return queries[0], nil
}

// suggestConnection replaces the error of a query of the empty embedded database; see Engine.suggestConnection.
func (s statement) suggestConnection(ctx context.Context, err error) error {
	return s.engine.suggestConnection(err, func(t compileTarget) error {
		_, err := s.body.compile(audit.WithoutRecord(ctx), s.engine, t)
		return err
	})
}
