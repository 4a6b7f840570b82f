package engine

import (
	"context"
	"errors"
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
	most := strconv.FormatInt(r.most, 10)
	return nil, &planerr.Error{
		Code: executor.CodeResultTooLarge, Message: fmt.Sprintf("the result has more rows than the quota of %s", most),
		Metrics: metricsOfColumns(r.columns), SuggestedRetry: `{"limit":` + most + `}`,
	}
}

func metricsOfColumns(columns []planner.OutputColumn) []string {
	var out []string
	for _, c := range columns {
		if c.Metric != "" && !slices.Contains(out, c.Metric) {
			out = append(out, c.Metric)
		}
	}
	return out
}

// withCostQuota returns a context in which no statement costs more bytes than the quota of its caller.
func withCostQuota(ctx context.Context) context.Context {
	if q, ok := access.QuotaFrom(ctx); ok && q.BytesBilled > 0 {
		return executor.WithMaxBytesBilled(ctx, q.BytesBilled)
	}
	return ctx
}

// withMetricsOfCost names the metrics of a statement that would cost too much.
func withMetricsOfCost(err error, columns []planner.OutputColumn) error {
	var costly *executor.Error
	if !errors.As(err, &costly) || costly.Code != executor.CodeCostLimitExceeded {
		return err
	}
	return &planerr.Error{Code: costly.Code, Message: costly.Message, Hint: costly.Hint, Metrics: metricsOfColumns(columns)}
}
