package engine

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/engine/internal/typehint"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
)

// executeInSlot executes a statement.
func (e *Engine) executeInSlot(ctx context.Context, c *compiledQuery) (*Result, error) {
	ctx, cancel := c.target.withConnectionTimeout(withRowQuota(e.withQueryTag(ctx)))
	defer cancel()
	return runInExecutionSlot(ctx, e, c.target, e.cancelsPromptly(c), func(ctx context.Context) (*Result, error) {
		return e.runStatement(ctx, c, e.config.MaxAnswerBytes)
	})
}

// withConnectionTimeout bounds an execution, or the time to the first rows of a stream, by the time of the profile.
func (t compileTarget) withConnectionTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.connection == nil || t.connection.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, t.connection.timeout)
}

// cancelsPromptly reports whether the statement ends soon after its context. Such a
// statement needs no goroutine of the engine: starting one wakes another processor, and
// its end wakes one again, which is a large part of the cost of a small query.
func (e *Engine) cancelsPromptly(c *compiledQuery) bool {
	p, ok := e.databaseOfTarget(c.target).executorIfOpen().(executor.PromptCanceler)
	return ok && p.CancelsPromptly(c.sql) && (c.countSQL == "" || p.CancelsPromptly(c.countSQL))
}

// runInExecutionSlot runs work in an execution slot. It returns when the work is done or when
// ctx ends; the slot is released when the work has really ended, or the executor has
// abandoned it. Work that ends soon after ctx (cancelsPromptly) runs in the caller's goroutine.
func runInExecutionSlot[T any](ctx context.Context, e *Engine, to compileTarget, cancelsPromptly bool, work func(context.Context) (T, error)) (T, error) {
	var none T
	x := e.listExecution(ctx, to)
	defer x.end()
	ctx = x.context(ctx)
	release, err := e.acquireSlot(ctx, to)
	if err != nil {
		return none, err
	}
	x.run()
	given := executor.WithAbandonFunc(ctx, release)
	if cancelsPromptly {
		defer release()
		return work(given)
	}
	return runUntilContextEnds(ctx, e, func() (T, error) {
		defer release()
		result, err := work(given)
		release() // before the caller has the result and may query again
		return result, err
	})
}

// runUntilContextEnds runs work in a goroutine and returns its result, or the error of a context that ends earlier: the work is
// then left to end by itself.
func runUntilContextEnds[T any](ctx context.Context, e *Engine, work func() (T, error)) (T, error) {
	type outcome struct {
		result T
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := work()
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		var none T
		return none, e.toExecuteError(ctx, ctx.Err())
	}
}

// runStatement executes the statement and reads all its rows, at most maxBytes of them.
func (e *Engine) runStatement(ctx context.Context, c *compiledQuery, maxBytes int) (result *Result, err error) {
	defer e.recoverToError(&err) // panics of an observer
	if c, err = e.countInSlot(ctx, c); err != nil {
		return nil, err
	}
	ctx, end := startPhase(ctx, PhaseExecute, c.target)
	defer func() {
		o := PhaseOutcome{Err: err}
		if result != nil {
			o.Rows = int64(result.RowCount)
		}
		end(o)
	}()
	defer e.recoverToError(&err)
	ctx = executor.WithDeadlineForRows(ctx)
	rows, err := e.openStatement(ctx, c)
	if err != nil {
		return nil, err
	}
	return e.readResult(ctx, c, rows, maxBytes)
}

// openStatement sends a statement to its warehouse.
func (e *Engine) openStatement(ctx context.Context, c *compiledQuery) (*countedBatches, error) {
	db, err := e.executorForReader(ctx, c.target)
	if err != nil {
		return nil, e.toLoggedExecuteError(ctx, c.target, err)
	}
	rows, err := queryCountingBatches(ctx, db, c.sql, e.config.Memory.Part(memory.Results))
	if err != nil {
		return nil, e.toLoggedExecuteError(ctx, c.target, withMetricsOfCost(err, c.columns))
	}
	return rows, nil
}

// shapeRows gives the rows of a warehouse the names of the query, and bounds them by the quota of its caller. They are the same for rows
// that are kept as for those that arrive.
func shapeRows(ctx context.Context, c *compiledQuery, rows executor.Rows) executor.Rows {
	rows = boundRows(ctx, withPlanColumnNames(rows, c.columns), c.columns)
	if totals := newTotalsRowCounter(rows, c.columns, c.level); totals != nil {
		return totals
	}
	return rows
}

// readResult reads the rows of a statement into a result, at most maxBytes of them, and closes them.
func (e *Engine) readResult(ctx context.Context, c *compiledQuery, rows executor.Rows, maxBytes int) (result *Result, err error) {
	defer func() {
		if closeErr := rows.Close(); err == nil && closeErr != nil {
			result, err = nil, e.toLoggedExecuteError(ctx, c.target, closeErr)
		}
	}()
	shaped := shapeRows(ctx, c, rows)
	result = &Result{
		Dialect: c.target.dialect.Name(), SQL: c.shownSQL(), Columns: jsonrows.ColumnNamesOfSchema(shaped.Schema()),
		Limit: c.limit, AllRows: c.allRows, countsOwnRows: c.countSQL != "" && c.hasAllRows, ResultEnd: c.end,
		Formats: columnFormats(e.cat, c.columns), Datatypes: columnDatatypes(shaped.Schema(), c.columns), GroupColumns: c.groups,
	}
	if err := result.readRowsIntoBody(ctx, shaped, columnTypeHints(c.columns), maxBytes, e.config.Memory.Part(memory.Results)); err != nil {
		return nil, e.toLoggedExecuteError(ctx, c.target, err)
	}
	return result, nil
}

// columnTypeHints returns the column types of the plan for the writer of rows, because a
// warehouse may not report them.
func columnTypeHints(columns []planner.OutputColumn) jsonrows.TypeHints {
	h := make(jsonrows.TypeHints)
	for _, c := range columns {
		h[c.Name] = typehint.HintOfType(c.Type)
	}
	return h
}

// toExecuteError returns code timeout if ctx has ended, regardless of the driver's
// error, and converts any other error to an *ExecuteError.
func (e *Engine) toExecuteError(ctx context.Context, err error) error {
	out := e.toExecuteErrorOfAuthor(ctx, err)
	var failed *ExecuteError
	if errors.As(out, &failed) {
		recordWarehouseWords(ctx, failed)
		return e.forReaderWithoutSQL(failed)
	}
	return out
}

func (e *Engine) toExecuteErrorOfAuthor(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errEndedByOperator) {
		return &ExecuteError{Code: executor.CodeTimeout, Message: "an operator ended the statement", Err: err}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &ExecuteError{Code: executor.CodeTimeout, Message: "the statement did not end within its time limit", Err: err}
	}
	var coded *ExecuteError
	if errors.As(err, &coded) {
		return coded
	}
	if ctx.Err() != nil {
		return &ExecuteError{Code: executor.CodeTimeout, Message: "the request was cancelled before the statement ended", Err: err}
	}
	return e.toCodedError(err)
}

// ExecuteWarehouseSQL runs the text of one query of the warehouse, in its own SQL, as it is written and returns its rows; "" is the
// embedded database. It is for programs that compare the engine with other SQL, and no
// interface offers it. The text is a derived table of the statement, so that it can only
// read, and its rows come in no order. The error is that of Statement.Execute, or a *planerr.Error
// of code bad_request for a text that is not a query.
func (e *Engine) ExecuteWarehouseSQL(ctx context.Context, connection, text string) (*Result, error) {
	if e.rights != nil {
		return nil, &access.ForbiddenError{Code: access.CodeForbidden, Message: "SQL of the warehouse reads whole tables, which no reader does"}
	}
	source, err := modelspec.ParseDatasetSource(text)
	if err != nil || source.Query == "" {
		return nil, &planerr.Error{Code: planerr.CodeBadRequest, Message: "the text is not one SELECT: " + planerr.ClipText(text)}
	}
	t, err := e.chooseCompileTarget("", connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	// The new line ends a comment at the end of the text.
	return e.executeInSlot(ctx, &compiledQuery{target: t, sql: "SELECT * FROM (" + source.Query + "\n) AS expected"})
}
