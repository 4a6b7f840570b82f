package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/semlayer/semlayer/planner"
	decomposed "github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/query"
)

// AttributeQuery is the body of an attribution: a metric, two windows of time,
// and the dimensions to decompose the change between them over.
type AttributeQuery = query.AttributeQuery

// Attribution is the result of an attribution query.
type Attribution = decomposed.Report

// AttributionNumber is a number of an attribution, NaN where there is none.
type AttributionNumber = decomposed.NullableFloat

// AttributionComparison is a number in both windows of an attribution, with its change.
type AttributionComparison = decomposed.ComparedValue

// DecodeAttributeQuery reads the JSON body of an attribution; errors as of
// DecodeMetricQuery.
func DecodeAttributeQuery(body []byte) (*AttributeQuery, error) { return query.DecodeAttribute(body) }

// maxParallelQueries is how many queries of one attribution run at once.
const maxParallelQueries = 4

// Attribute decomposes the change of a metric between two windows. It runs one
// query for the totals and one for each dimension, side by side under one
// slot. Beyond the errors of ExecuteMetrics there is the *PlanError of code
// denominator_nonpositive, which the data decide.
func (e *Engine) Attribute(ctx context.Context, q *AttributeQuery) (*Attribution, error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneAttribution, e.queryOrSavedMetrics(metricAsListOrEmpty(q.Metric), q.Saved), q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	planned, queries, err := e.compileAttribution(ctx, q, t)
	if err != nil {
		return nil, err
	}
	ctx = e.withQueryTag(ctx)
	report, err := runInExecutionSlot(ctx, e, t, false, func(ctx context.Context) (r *Attribution, err error) {
		defer e.recoverToError(&err)
		rows, err := e.runQueriesInParallel(ctx, queries)
		if err != nil {
			return nil, err
		}
		r, err = planned.Report(rows)
		if err != nil {
			return nil, e.toCodedError(err)
		}
		r.Saved = e.declaredSavedQueryName(q.Saved)
		return r, nil
	})
	return report, e.suggestConnection(err, func(t compileTarget) error { _, _, err := e.compileAttribution(ctx, q, t); return err })
}

// metricAsListOrEmpty returns the metrics of an attribution: one, or none where a saved query has it.
func metricAsListOrEmpty(metric string) []string {
	if metric == "" {
		return nil
	}
	return []string{metric}
}

func (e *Engine) compileAttribution(ctx context.Context, q *AttributeQuery, t compileTarget) (planned *planner.PlannedAttribution, queries []*compiledQuery, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	planned, err = e.planner.PlanAttribution(ctx, q, t.planner)
	if err != nil {
		return nil, nil, e.toPlanError(ctx, err, metricAsListOrEmpty(q.Metric)...)
	}
	for _, p := range planned.Queries() {
		c, err := e.printPlanAsSQL(ctx, p, t, false, q.Saved)
		if err != nil {
			return nil, nil, err
		}
		queries = append(queries, c)
	}
	return planned, queries, nil
}

// runQueriesInParallel runs queries in parallel, at most maxParallelQueries at once, and returns
// when the last has ended. The first error cancels the others and is returned.
func (e *Engine) runQueriesInParallel(ctx context.Context, queries []*compiledQuery) ([]planner.QueryResultRows, error) {
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
			rows, err := e.runQueryAndDecodeRows(ctx, c)
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
func (e *Engine) runQueryAndDecodeRows(ctx context.Context, c *compiledQuery) (rows planner.QueryResultRows, err error) {
	defer e.recoverToError(&err)
	result, err := e.runStatement(ctx, c, e.config.MaxAnswerBytes)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(result.Rows))
	d.UseNumber()
	var objects []map[string]any
	if err := d.Decode(&objects); err != nil {
		return nil, e.toCodedError(err)
	}
	rows = make(planner.QueryResultRows, len(objects))
	for i, object := range objects {
		rows[i] = make([]any, len(c.columns))
		for col, column := range c.columns {
			rows[i][col] = object[column.Name]
		}
	}
	return rows, nil
}

// CheckAttribution plans an attribution and writes its SQL; nothing is run. Errors are as
// of Attribute.
func (e *Engine) CheckAttribution(ctx context.Context, q *AttributeQuery) error {
	t, err := e.chooseCompileTarget(q.Dialect, q.Connection)
	if err != nil {
		return err
	}
	_, _, err = e.compileAttribution(ctx, q, t)
	return err
}
