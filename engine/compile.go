package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// Compiled is the result of compiling a query.
type Compiled struct {
	Dialect string         `json:"dialect"`
	SQL     string         `json:"sql"`
	Outputs []MetricOutput `json:"outputs,omitempty"`
	// CountSQL is the statement that counts all rows, beside those that limit and offset choose; "" where the query does not ask for it.
	CountSQL string `json:"count_sql,omitempty"`
	ResultEnd
	// Statement is what is known besides of a statement in SQL; nil for a query.
	Statement *StatementFacts `json:"-"`
}

// MetricOutput names the metric that a result column holds.
type MetricOutput struct {
	Column    string         `json:"column"`
	Metric    string         `json:"metric"`
	Params    map[string]any `json:"params,omitempty"`
	TimeRange string         `json:"time_range,omitempty"`
	// Kind is what the column holds of the metric: share, previous, change or change_ratio;
	// "" for the metric itself.
	Kind string `json:"kind,omitempty"`
	// Approximate: the engine estimates the values.
	Approximate bool `json:"approximate,omitempty"`
}

// compiledQuery is a compiled query. It is immutable, because several executions may share it.
type compiledQuery struct {
	target compileTarget
	sql    string
	// hidesSQL: the reader does not see the text; see shownSQL.
	hidesSQL bool
	columns  []planner.OutputColumn
	// countSQL counts all rows, as the column total_rows; "" where the query does not ask for it.
	countSQL string
	// hasAllRows: the query has neither limit nor offset.
	hasAllRows bool
	// resolved are the relative ranges whose bounds the statement holds.
	resolved []plan.ResolvedTimeRange
	// readsNow: a condition holds the time of compilation.
	readsNow bool
	// volatile: two executions over the same rows can have different results. It is only found out with a result cache.
	volatile bool
	// freshness are the statements that read the states of the tables; only with a result cache.
	freshness []string
	// maxAge is the age in seconds that no datum of the result may exceed; nil where it may have any.
	maxAge *int64
	// rollupKey names the states of the tables of rollups that the statement reads.
	rollupKey string
	// builds are the times before which the tables of these rollups were computed.
	builds []time.Time
	// textOrder is a rollup of a local file whose texts the statement orders, and the connection orders otherwise; "" for none.
	textOrder string
	// readsOthers: the statement reads a table beside those of rollups. It is only found out for a local file.
	readsOthers bool
	// freshTime is the time of the statement where it reads fresh rows of a rollup; zero elsewhere.
	freshTime time.Time
	// statement is that of Compiled.
	statement *StatementFacts
	// uses and datasets are the names that the query uses and the datasets that it reads.
	uses     *plan.Uses
	datasets []string
	resultMetadata
}

// resultMetadata holds the fields of a result besides its rows.
type resultMetadata struct {
	limit   *int64 // the most rows; nil where they are not limited
	level   string // the column that is 0 on the rows that limit counts, "" where it counts all
	groups  []int  // the columns of Result.GroupColumns
	allRows *int64 // of an execution: the number of rows without limit and offset; nil where it was not counted
	end     ResultEnd
}

// shownSQL returns the text as the reader of the query sees it: "" without the right to.
func (c *compiledQuery) shownSQL() string {
	if c.hidesSQL {
		return ""
	}
	return c.sql
}

// compiled returns what a caller sees of a compiled query.
func (c *compiledQuery) compiled() *Compiled {
	out := &Compiled{Dialect: c.target.dialect.Name(), SQL: c.shownSQL(), ResultEnd: c.end, Statement: c.statement.clone()}
	if !c.hidesSQL {
		out.CountSQL = c.countSQL
	}
	if c.statement == nil {
		out.Outputs = metricOutputs(c.columns)
	}
	return out
}

// unorderedGroupColumns returns the columns by which the rows of a metric query differ, that of the level of totals first; nil where
// the rows have an order.
func unorderedGroupColumns(planned *planner.Planned) []int {
	if planned.IsOrdered() {
		return nil
	}
	var out []int
	for i, c := range planned.Columns {
		switch {
		case planned.Level != "" && c.Name == planned.Level:
			out = slices.Insert(out, 0, i)
		case c.Metric == "":
			out = append(out, i)
		}
	}
	return out
}

// toPlanError returns the error of a query of some metrics that was not planned: rejected, or abandoned.
func (e *Engine) toPlanError(ctx context.Context, err error, metrics ...string) error {
	if ctx.Err() != nil {
		return e.toExecuteError(ctx, ctx.Err())
	}
	err = e.withoutLocation(e.toCodedError(err))
	var refused *planerr.Error
	if errors.As(err, &refused) {
		if of, err := e.InView(refused.View); err == nil {
			e = of
		}
		refused = e.withdrawUnlikelyQuotes(refused)
		err = refused
		if refused.UnknownName != "" {
			return e.rankNameCandidates(ctx, refused, metrics)
		}
	}
	var statement *SQLError
	if errors.As(err, &statement) && statement.Unknown != nil {
		return e.rankColumnCandidates(statement)
	}
	return err
}

// printPlanAsSQL prints a plan as SQL, unless ctx has ended.
func (e *Engine) printPlanAsSQL(ctx context.Context, planned *planner.Planned, t compileTarget, pretty bool, saved string) (*compiledQuery, error) {
	if ctx.Err() != nil {
		return nil, e.toExecuteError(ctx, ctx.Err())
	}
	sql, err := e.printRoot(ctx, planned.Root, t, pretty)
	if err != nil {
		return nil, err
	}
	out := &compiledQuery{
		target: t, sql: sql, hidesSQL: e.hidesSQL(), columns: planned.Columns, resolved: planned.ResolvedRanges, readsNow: planned.ReadsNow,
		volatile: e.warehouses.results != nil && plan.IsVolatile(planned.Root), maxAge: planned.MaxAge, datasets: plan.ScannedDatasets(planned.Root),
		resultMetadata: resultMetadata{
			limit: planned.Limit, level: planned.Level, end: ResultEnd{
				newResolvedTimeRange(planned.ResolvedRanges), newResolvedCompare(planned.ResolvedCompare), planned.Warnings,
				e.declaredSavedQueryName(saved), planned.Rollups, planned.View,
			},
		},
	}
	if t.local != nil {
		out.readsOthers = !plan.ReadsRollupsAlone(planned.Root)
		out.textOrder = plan.DependsOnTextOrder(planned.Root, t.planner.Rollups.Local.Unordered)
	}
	if e.warehouses.results != nil {
		if out.freshness, err = freshnessStatements(ctx, planned.Root, t); err != nil {
			return nil, e.toPlanError(ctx, err)
		}
	}
	if planned.Count != nil {
		out.countSQL, err = e.printRoot(ctx, planned.Count.Root, t, pretty)
		out.hasAllRows = planned.Count.IsResult
	}
	return out, err
}

// printRoot prints the tree of a plan as SQL, with the conditions of its reader guarded.
func (e *Engine) printRoot(ctx context.Context, root plan.Node, t compileTarget, pretty bool) (string, error) {
	if e.rights != nil {
		root = e.planner.GuardConditions(root, t.planner)
	}
	sql, err := sqlemit.Emit(ctx, root, t.dialect, sqlemit.FormatOptions{Pretty: pretty})
	if err != nil {
		return "", e.toPlanError(ctx, err)
	}
	return sql, nil
}

func metricOutputs(columns []planner.OutputColumn) []MetricOutput {
	var out []MetricOutput
	for _, c := range columns {
		if c.Metric == "" {
			continue
		}
		o := MetricOutput{Column: c.Name, Metric: c.Metric, TimeRange: c.TimeRange, Kind: string(c.Kind), Approximate: c.Approximate}
		for _, p := range c.Params {
			if o.Params == nil {
				o.Params = make(map[string]any, len(c.Params))
			}
			o.Params[p.Name] = p.Value
		}
		out = append(out, o)
	}
	return out
}

// recoverToError turns a panic into an error of code internal. Callers defer it directly,
// because recover works only in the deferred function.
func (e *Engine) recoverToError(err *error) {
	if p := recover(); p != nil {
		*err = e.panicError(p)
	}
}

func (e *Engine) panicError(p any) error {
	e.logInternalError("panic", p, "stack", string(debug.Stack()))
	return internalError()
}

// toCodedError returns an error that has a code unchanged and turns any other into code internal.
func (e *Engine) toCodedError(err error) error {
	var (
		plan    *planerr.Error
		compile *modelspec.CompileError
		execute *ExecuteError
		refused *SQLError
		emit    *sqlemit.Error
		limit   *memory.LimitError
		reader  *access.ForbiddenError
	)
	switch {
	case errors.As(err, &plan), errors.As(err, &compile), errors.As(err, &execute), errors.As(err, &refused), errors.As(err, &limit), errors.As(err, &reader):
		return err
	case errors.As(err, &emit) && emit.Code == sqlemit.CodeUnsupportedFunction:
		return planerr.UnsupportedFunctionError(emit.Dialect, sqlexpr.InfoOfFunction(emit.Function).Name)
	case errors.As(err, &emit) && emit.Code == sqlemit.CodeNotImplemented:
		return &planerr.Error{Code: planerr.CodeNotImplemented, Message: emit.Error()}
	}
	e.logInternalError("error", err)
	return internalError()
}

// logInternalError logs an internal error. The text of a value may repeat parts of a query,
// so it is logged at debug level only; the text of a runtime error does not.
func (e *Engine) logInternalError(key string, what any, more ...any) {
	const message = "a defect in the engine"
	var runtimeError runtime.Error
	if err, ok := what.(error); ok && errors.As(err, &runtimeError) {
		e.log.Error(message, append(more, key, runtimeError.Error())...)
		return
	}
	e.log.Error(message, append(more, key, fmt.Sprintf("%T", what))...)
	e.log.Debug(message, key, fmt.Sprint(what))
}

func internalError() error {
	return &planerr.Error{Code: planerr.CodeInternal, Message: "the engine failed at this query; a retry does not help"}
}

// MarshalWireJSON marshals an error or a response as JSON, without the escapes that
// only HTML needs.
func MarshalWireJSON(v any) ([]byte, error) {
	var b marshalJSONBuffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b[:len(b)-1], nil // the encoder ends with a newline
}

type marshalJSONBuffer []byte

func (b *marshalJSONBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

const (
	// planBytesPerTextByte is what the tree, the plan and the SQL of a statement take for each byte of its text, estimated.
	planBytesPerTextByte = 64
	// smallPlanBytes is what every plan takes.
	smallPlanBytes = 32 << 10
	// planBytesPerNode is what the plan and the SQL take for each operator and operand that a metric query expands to, estimated.
	planBytesPerNode = 256
)

// reservePlanMemory takes memory for the plan of a statement. The error is a *memory.LimitError.
func (e *Engine) reservePlanMemory(s *query.SQLStatement) (*memory.Reservation, error) {
	bytes := len(s.SQL) + len(s.ContextFilter)
	for _, p := range s.Params {
		bytes += len(p.Text)
	}
	return e.config.Memory.Part(memory.Plans).Reserve(smallPlanBytes + planBytesPerTextByte*int64(bytes))
}

// reserveQueryPlanMemory takes memory for the plan of a query of that length, and lets the target take more while metrics are
// expanded. The error is a *memory.LimitError.
func (e *Engine) reserveQueryPlanMemory(queryBytes int, t planner.Target) (*memory.Reservation, planner.Target, error) {
	held, err := e.config.Memory.Part(memory.Plans).Reserve(smallPlanBytes + planBytesPerTextByte*int64(queryBytes))
	if err != nil {
		return nil, t, err
	}
	t.Grow = func(nodes int) error { return held.Grow(planBytesPerNode * int64(nodes)) }
	return held, t, nil
}
