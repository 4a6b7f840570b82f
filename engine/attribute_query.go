package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/planner"
	decomposed "github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Attribution is the result of an attribution query.
type Attribution = decomposed.Report

// AttributionNumber is a number of an attribution, NaN where there is none.
type AttributionNumber = decomposed.NullableFloat

// AttributionComparison is a number in both windows of an attribution, with its change.
type AttributionComparison = decomposed.ComparedValue

// decodedBytesFactor is what a byte of rows takes when it is decoded and a part of a report, estimated.
const decodedBytesFactor = 8

// maxParallelQueries is how many queries of one attribution run at once.
const maxParallelQueries = 4

// Attribute decomposes the change of a metric between two windows. It runs one
// query for the totals and one for each dimension, side by side under one
// slot. Beyond the errors of Statement.Execute there is the *planerr.Error of code
// denominator_nonpositive, which the data decide.
func (e *Engine) Attribute(ctx context.Context, q *query.AttributeQuery) (*Attribution, error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneAttribution, e.queryOrSavedMetrics(metricAsListOrEmpty(q.Metric), q.Saved), q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	var planned *planner.PlannedAttribution
	queries, err := e.compileWithStates(ctx, t, func(t compileTarget) (queries []*compiledQuery, err error) {
		planned, queries, err = e.compileAttribution(ctx, q, t)
		return queries, err
	})
	if err != nil {
		return nil, err
	}
	recordStatements(ctx, queries...)
	ctx, use := WithCacheUse(e.withQueryTag(ctx))
	report, err := e.runAttribution(ctx, t, queries, func(rows []planner.QueryResultRows) (*Attribution, error) {
		r, err := planned.Report(rows)
		if err != nil {
			return nil, e.toCodedError(err)
		}
		r.Saved = e.declaredSavedQueryName(q.Saved)
		r.Rollups, r.View = e.withFreshTime(rollupUsesOf(queries), use.freshSince()), planned.View
		return r, nil
	})
	return report, e.suggestConnection(err, func(t compileTarget) error {
		_, _, err := e.compileAttribution(audit.WithoutRecord(ctx), q, t)
		return err
	})
}

// runAttribution runs the queries of an attribution under one slot, and reports on their rows.
func (e *Engine) runAttribution(ctx context.Context, t compileTarget, queries []*compiledQuery, report func([]planner.QueryResultRows) (*Attribution, error)) (*Attribution, error) {
	work := func(ctx context.Context, run statementRunner) (r *Attribution, err error) {
		defer e.recoverToError(&err)
		rows, err := e.runQueriesInParallel(ctx, queries, run)
		if err != nil {
			return nil, err
		}
		return report(rows)
	}
	if !e.keepsResults(ctx, queries...) {
		return runInExecutionSlot(ctx, e, t, false, func(ctx context.Context) (*Attribution, error) {
			return work(ctx, func(ctx context.Context, c *compiledQuery) (*Result, error) {
				return e.runStatement(ctx, c, e.config.MaxAnswerBytes)
			})
		})
	}
	return runUntilContextEnds(ctx, e, func() (*Attribution, error) {
		slot := &sharedSlot{take: e.ownSlot(t)}
		defer slot.close()
		return work(ctx, func(ctx context.Context, c *compiledQuery) (*Result, error) {
			rows, err := e.openCached(ctx, c, slot.acquire, true)
			if err != nil {
				return nil, err
			}
			return e.readCached(ctx, c, rows)
		})
	})
}

// statementRunner returns the rows of a statement.
type statementRunner func(context.Context, *compiledQuery) (*Result, error)

// metricAsListOrEmpty returns the metrics of an attribution: one, or none where a saved query has it.
func metricAsListOrEmpty(metric string) []string {
	if metric == "" {
		return nil
	}
	return []string{metric}
}

func (e *Engine) compileAttribution(ctx context.Context, q *query.AttributeQuery, t compileTarget) (planned *planner.PlannedAttribution, queries []*compiledQuery, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	held, target, err := e.reserveQueryPlanMemory(attributionBytes(q), t.planner)
	if err != nil {
		return nil, nil, err
	}
	defer held.Release()
	target.Uses = new(plan.Uses)
	planned, err = e.planner.PlanAttribution(ctx, q, target)
	if err != nil {
		recordUses(ctx, target.Uses, nil)
		return nil, nil, e.toPlanError(ctx, err, metricAsListOrEmpty(q.Metric)...)
	}
	for _, p := range planned.Queries() {
		c, err := e.printPlanAsSQL(ctx, p, t, false, q.Saved)
		if err != nil {
			return nil, nil, err
		}
		queries = append(queries, c)
	}
	recordUses(ctx, target.Uses, datasetsOf(queries))
	return planned, queries, nil
}

// runQueriesInParallel runs queries in parallel, at most maxParallelQueries at once, and returns
// when the last has ended. The first error cancels the others and is returned.
func (e *Engine) runQueriesInParallel(ctx context.Context, queries []*compiledQuery, run statementRunner) ([]planner.QueryResultRows, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]planner.QueryResultRows, len(queries))
	places := make(chan struct{}, maxParallelQueries)
	var (
		wg    sync.WaitGroup
		once  sync.Once
		first error
	)
	for i, c := range queries {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if ctx.Err() != nil {
				return
			}
			rows, err := e.runQueryAndDecodeRows(ctx, c, run)
			if err != nil {
				once.Do(func() { first = err })
				cancel(err)
				return
			}
			out[i] = rows
		})
	}
	wg.Wait()
	if first == nil && ctx.Err() != nil {
		first = e.toExecuteError(ctx, ctx.Err())
	}
	if first != nil {
		return nil, first
	}
	return out, nil
}

// runQueryAndDecodeRows runs one query and decodes its rows.
func (e *Engine) runQueryAndDecodeRows(ctx context.Context, c *compiledQuery, run statementRunner) (rows planner.QueryResultRows, err error) {
	defer e.recoverToError(&err)
	var body memory.Account // the text of the rows, which is decoded at once
	defer body.Release()
	result, err := run(memory.WithAccount(ctx, &body), c)
	if err != nil {
		return nil, err
	}
	held, err := e.config.Memory.Part(memory.Results).Reserve(decodedBytesFactor * int64(len(result.Rows)))
	if err != nil {
		return nil, err
	}
	memory.KeepForResponse(ctx, held)
	d := json.NewDecoder(bytes.NewReader(result.Rows))
	d.UseNumber()
	if _, err := d.Token(); err != nil { // the beginning of the array
		return nil, e.toCodedError(err)
	}
	rows = make(planner.QueryResultRows, 0, result.RowCount)
	for object := map[string]any{}; d.More(); clear(object) {
		if err := d.Decode(&object); err != nil {
			return nil, e.toCodedError(err)
		}
		row := make([]any, len(c.columns))
		for i, column := range c.columns {
			row[i] = object[column.Name]
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// CheckAttribution plans an attribution and writes its SQL; nothing is run. Errors are as
// of Attribute.
func (e *Engine) CheckAttribution(ctx context.Context, q *query.AttributeQuery) error {
	t, err := e.chooseCompileTarget(q.Dialect, q.Connection)
	if err != nil {
		return err
	}
	_, _, err = e.compileAttribution(ctx, q, t)
	return err
}

// attributionBytes returns the length of the texts of an attribution.
func attributionBytes(q *query.AttributeQuery) int {
	n := len(q.WhereSQL) + len(q.ContextFilter)
	for _, d := range q.Dimensions {
		n += len(d)
	}
	for _, f := range q.With {
		n += len(f.Expression)
	}
	for _, p := range q.Params {
		n += len(p.Name)
	}
	return n
}
