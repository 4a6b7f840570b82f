package engine

import (
	"context"
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
)

// countsBefore reports whether a statement counts all rows before those of the query are read: the query asks for the number, and its own
// rows are not all of them.
func (c *compiledQuery) countsBefore() bool { return c.countSQL != "" && !c.hasAllRows }

// rowCountQuery returns the statement that counts all rows, for the target of the query.
func (c *compiledQuery) rowCountQuery() *compiledQuery {
	q := *c
	q.sql, q.countSQL, q.resultMetadata = c.countSQL, "", resultMetadata{}
	q.columns = []planner.OutputColumn{{Name: plan.TotalRowsColumn, Type: sqlexpr.TypeInt}}
	return &q
}

// countAllRows returns the query with the number of all its rows, which run reads in the slot and the time of the query.
func (e *Engine) countAllRows(ctx context.Context, c *compiledQuery, run statementRunner) (*compiledQuery, error) {
	result, err := run(ctx, c.rowCountQuery())
	if err != nil {
		return nil, withMetricsOfCost(err, c.columns)
	}
	var rows []map[string]int64
	if err := json.Unmarshal(result.Rows, &rows); err != nil || len(rows) != 1 {
		return nil, e.toCodedError(err)
	}
	n, counted := rows[0][plan.TotalRowsColumn], *c
	counted.allRows = &n
	return &counted, nil
}

// countInSlot is countAllRows in a slot that is taken; it returns the query itself where nothing is to be counted.
func (e *Engine) countInSlot(ctx context.Context, c *compiledQuery) (*compiledQuery, error) {
	if !c.countsBefore() {
		return c, nil
	}
	return e.countAllRows(ctx, c, func(ctx context.Context, q *compiledQuery) (*Result, error) {
		return e.runStatement(ctx, q, e.config.MaxAnswerBytes)
	})
}

// openCachedWithCount is openCached in a separate slot, and counts all rows before where the query asks for the number. It returns the
// query with it.
func (e *Engine) openCachedWithCount(ctx context.Context, c *compiledQuery, deadlineForRows bool) (*compiledQuery, *cachedRows, error) {
	ctx, use := WithCacheUse(ctx)
	take := e.ownSlot(c.target)
	if c.countsBefore() {
		slot := &sharedSlot{take: take}
		defer slot.close()
		take = slot.acquire
		counted, err := e.countAllRows(ctx, c, func(ctx context.Context, q *compiledQuery) (*Result, error) {
			rows, err := e.openCached(ctx, q, take, true)
			if err != nil {
				return nil, err
			}
			return e.readCached(ctx, q, rows)
		})
		if err != nil {
			return nil, nil, err
		}
		c = counted
	}
	rows, err := e.openCached(ctx, c, take, deadlineForRows)
	if at := use.freshSince(); !at.IsZero() {
		own := *c
		own.end.Rollups, c = e.withFreshTime(c.end.Rollups, at), &own
	}
	return c, rows, err
}

// setRowCounts notes how many rows were read, how many of them are those of totals, and, where the query has all rows and asks for their
// number, that number.
func (r *Result) setRowCounts(rows, totals int) {
	r.RowCount, r.TotalRows = rows, totals
	if r.countsOwnRows {
		n := int64(rows - totals)
		r.AllRows = &n
	}
}
