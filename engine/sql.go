package engine

import (
	"context"
	"slices"
	"strings"

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

// StatementFacts are what is known of a compiled statement besides its SQL.
type StatementFacts struct {
	Kind semsql.StatementKind
	// Query is the *query.MetricQuery or *query.DetailQuery with the same rows by position, with the midnights of
	// DATE_TRUNC as dates; nil where no query has them.
	Query any
	// Columns are those of the rows by position. Two may have one name.
	Columns []SQLColumn
	// sharedName is the error of a statement two of whose columns have one name, for answers whose rows are objects.
	sharedName error
}

// clone returns facts that a caller may change; the lists of the query are shared.
func (f *StatementFacts) clone() *StatementFacts {
	if f == nil {
		return nil
	}
	out := *f
	out.Columns = slices.Clone(f.Columns)
	switch q := f.Query.(type) {
	case *query.MetricQuery:
		own := *q
		out.Query = &own
	case *query.DetailQuery:
		own := *q
		out.Query = &own
	}
	return &out
}

// MarshalJSON writes a compiled statement with its facts and without what only queries have.
func (c *Compiled) MarshalJSON() ([]byte, error) {
	type compiledQuery Compiled
	if c.Statement == nil {
		return MarshalWireJSON((*compiledQuery)(c))
	}
	return MarshalWireJSON(struct {
		Dialect  string                 `json:"dialect"`
		SQL      string                 `json:"sql"`
		Kind     semsql.StatementKind   `json:"kind"`
		Query    any                    `json:"query,omitempty"`
		Columns  []SQLColumn            `json:"columns"`
		Warnings []planerr.QueryWarning `json:"warnings,omitempty"`
		Rollups  []RollupUse            `json:"rollups,omitempty"`
	}{c.Dialect, c.SQL, c.Statement.Kind, c.Statement.Query, c.Statement.Columns, c.Warnings, c.Rollups})
}

// PositionalSQL is a statement in SQL whose rows are read by position, so that two columns may have one name: those of a stream have
// other names, which differ in more than case. Prepare compiles it, and the methods of the Statement share its SQL.
type PositionalSQL struct {
	*query.SQLStatement
	Tree *parse.Query // of the text, or nil
}

// positionalStatement is a compiled PositionalSQL.
type positionalStatement struct {
	statement
	ready *compiledQuery
}

func (s statement) compilePositional(ctx context.Context, q PositionalSQL) (Statement, error) {
	if err := s.engine.checkExecutable(s.target); err != nil {
		return nil, err
	}
	c, err := s.body.compile(ctx, s.engine, s.target)
	if err != nil {
		return nil, err
	}
	recordStatements(ctx, c)
	text := *q.SQLStatement // the syntax tree is not held
	s.body = sqlBody{&text, nil}
	return positionalStatement{s, c}, nil
}

func (s positionalStatement) SQL(context.Context) (*Compiled, error) { return s.ready.compiled(), nil }

func (s positionalStatement) Stream(ctx context.Context) (*Stream, error) {
	first := s.ready
	queries, err := s.engine.compileWithStates(ctx, s.target, func(t compileTarget) (queries []*compiledQuery, err error) {
		c := first
		if t.local != nil || c == nil { // on other tables than the first
			c, err = s.body.compile(ctx, s.engine, t)
		} else {
			first = nil
		}
		return []*compiledQuery{c}, err
	})
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, queries[0])
}

// sqlBody is the body of a statement in SQL.
type sqlBody PositionalSQL

func (q sqlBody) compile(ctx context.Context, e *Engine, t compileTarget) (c *compiledQuery, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	defer func() {
		if c != nil {
			recordUses(ctx, c.uses, c.datasets)
		}
	}()
	return e.statements.getOrCompile(q.SQLStatement, t, e.readerKey(), nil, func(int) (*compiledQuery, error) { return q.compileMapped(ctx, e, t) })
}

func (q sqlBody) compileMapped(ctx context.Context, e *Engine, t compileTarget) (*compiledQuery, error) {
	held, err := e.reservePlanMemory(q.SQLStatement)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	uses := new(plan.Uses)
	mapped, err := e.mapStatementToPlan(ctx, q.SQLStatement, q.Tree, t.noting(uses))
	if err != nil {
		recordUses(ctx, uses, nil)
		return nil, err
	}
	c, err := e.printPlanAsSQL(ctx, mapped.Planned, t, q.Pretty, "")
	if err != nil {
		recordUses(ctx, uses, plan.ScannedDatasets(mapped.Planned.Root))
		return nil, sqlerror.FromPlannerError(err, 0) // what the dialect lacks
	}
	c.maxAge, c.uses, c.readsNow = q.MaxAge, uses, mapped.ReadsNow
	if mapped.Kind == semsql.KindMetric {
		c.groups = unorderedGroupColumns(mapped.Planned)
	}
	c.statement = &StatementFacts{Kind: mapped.Kind, Columns: mapped.Columns, sharedName: mapped.CheckDuplicateColumnNames()}
	switch {
	case mapped.Metric != nil:
		c.statement.Query = mapped.Metric
	case mapped.Detail != nil:
		c.statement.Query = mapped.Detail
	}
	return c, nil
}

func (q sqlBody) compileRows(ctx context.Context, e *Engine, t compileTarget) (*compiledQuery, error) {
	c, err := q.compile(ctx, e, t)
	if err != nil {
		return nil, err
	}
	if c.statement.sharedName != nil {
		return nil, c.statement.sharedName
	}
	named := *c
	named.columns = withStatementColumnNames(c.columns, c.statement.Columns)
	return &named, nil
}

func (q sqlBody) explain(ctx context.Context, e *Engine, t compileTarget) (*planner.Planned, string, error) {
	held, err := e.reservePlanMemory(q.SQLStatement)
	if err != nil {
		return nil, "", err
	}
	defer held.Release()
	uses := new(plan.Uses)
	mapped, err := e.mapStatementToPlan(ctx, q.SQLStatement, q.Tree, t.noting(uses))
	if err != nil {
		recordUses(ctx, uses, nil)
		return nil, "", err
	}
	recordUses(ctx, uses, plan.ScannedDatasets(mapped.Planned.Root))
	return mapped.Planned, "", nil
}

func (sqlBody) emptyResultProbes(*Engine, compileTarget) emptyResultProbesFinder { return nil }

// SQLStatementDescription is what is known of a statement before its parameters have values.
type SQLStatementDescription = semsql.StatementDescription

// DescribeSQL finds the columns of a statement and the types of its parameters. Of declared, "" is a type
// that the statement decides. The tree is that of the text, or nil. No warehouse is touched. Errors are as of Statement.SQL.
func (e *Engine) DescribeSQL(ctx context.Context, s *query.SQLStatement, tree *parse.Query, declared []string) (d *SQLStatementDescription, err error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneSQL, nil, s.Dialect, s.Connection)
	if err != nil {
		return nil, err
	}
	if len(declared) == 0 && !strings.Contains(s.SQL, "$") { // without parameters; it is likely to be executed next
		c, err := sqlBody{s, tree}.compile(ctx, e, t)
		if err != nil {
			return nil, err
		}
		return &SQLStatementDescription{Columns: slices.Clone(c.statement.Columns)}, nil
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

// mapStatementToPlan maps a statement to a plan. The tree is that of its text, or nil.
func (e *Engine) mapStatementToPlan(ctx context.Context, s *query.SQLStatement, tree *parse.Query, t compileTarget) (*semsql.CompiledStatement, error) {
	mapped, err := e.statementModel().Compile(ctx, toSemsqlStatement(s, tree), t.planner)
	if err != nil {
		return nil, e.toPlanError(ctx, err)
	}
	return mapped, nil
}

func toSemsqlStatement(s *query.SQLStatement, tree *parse.Query) semsql.Statement {
	return semsql.Statement{SQL: s.SQL, Tree: tree, Params: s.Params, ContextFilter: s.ContextFilter, TimeZone: s.TimeZone, MaxRows: s.MaxRows, Rollups: s.Rollups, MaxAge: s.MaxAge}
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
