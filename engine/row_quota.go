package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
)

type rowQuotaKey struct{}

// withRowQuota returns a context in which the rows of one statement are bounded by the quota of its caller. Attributions and lists of
// values have other bounds.
func withRowQuota(ctx context.Context) context.Context {
	if q, ok := access.QuotaFrom(ctx); ok && q.Rows > 0 {
		return context.WithValue(ctx, rowQuotaKey{}, q.Rows)
	}
	return ctx
}

// quotaRows are rows that end with an error beyond the quota of their caller: rows are never left out without an error. The statement
// ends when the reader closes them.
type quotaRows struct {
	executor.Rows
	most, passed int64
	columns      []planner.OutputColumn
}

// boundRows bounds the rows of a statement by the quota of the context.
func boundRows(ctx context.Context, rows executor.Rows, columns []planner.OutputColumn) executor.Rows {
	most, ok := ctx.Value(rowQuotaKey{}).(int64)
	if !ok {
		return rows
	}
	return &quotaRows{Rows: rows, most: most, columns: columns}
}

func (r *quotaRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	batch, err := r.Rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	if r.passed += batch.NumRows(); r.passed <= r.most {
		return batch, nil
	}
	batch.Release()
	var metrics []string
	for _, c := range r.columns {
		if c.Metric != "" && !slices.Contains(metrics, c.Metric) {
			metrics = append(metrics, c.Metric)
		}
	}
	most := strconv.FormatInt(r.most, 10)
	return nil, &planerr.Error{
		Code: executor.CodeResultTooLarge, Message: fmt.Sprintf("the result has more rows than the quota of %s", most),
		Metrics: metrics, SuggestedRetry: `{"limit":` + most + `}`,
	}
}
