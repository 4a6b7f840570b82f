package planner

import (
	"context"
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/detail"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/saved"
	"github.com/semlayer/semlayer/planner/query"
)

// EmptyResult is what to ask of the data when a query has no rows.
type EmptyResult struct {
	Texts []EmptyText
	Range *EmptyRange // nil without
}

// EmptyText is a condition that a field has one of some texts.
type EmptyText struct {
	Field  string // as the query names it
	Texts  []string
	stored resolve.Ref
	retry  func(index int, text string) string
}

// EmptyRange is a range of time that the query asks for.
type EmptyRange struct {
	Field    string // as the query names it
	stored   resolve.Ref
	interval [2]time.Time // zero for an open bound
}

// FindEmptyMetricResult lists what to ask of the data when a metric query has no rows.
func (p *Planner) FindEmptyMetricResult(ctx context.Context, q *query.MetricQuery, t Target) (EmptyResult, error) {
	t.Now = t.NowOrCallTime()
	parts, err := saved.PlanRequest(p.cat, q, saved.MetricRequests, func(q *query.MetricQuery) (metric.FilterParts, error) {
		return metric.FindFilterParts(ctx, p.cat, q, t)
	})
	return newEmptyResult(parts, func(fragment map[string]any) bool {
		patched, ok := q.Patch(fragment)
		if !ok {
			return false
		}
		_, err := p.PlanMetrics(ctx, &patched, t)
		return err == nil
	}), err
}

// FindEmptyDetailResult does for a detail query what FindEmptyMetricResult does.
func (p *Planner) FindEmptyDetailResult(ctx context.Context, q *query.DetailQuery, t Target) (EmptyResult, error) {
	t.Now = t.NowOrCallTime()
	parts, err := saved.PlanRequest(p.cat, q, saved.DetailRequests, func(q *query.DetailQuery) (metric.FilterParts, error) {
		return detail.FindFilterParts(ctx, p.cat, q, t)
	})
	return newEmptyResult(parts, func(fragment map[string]any) bool {
		patched, ok := q.Patch(fragment)
		if !ok {
			return false
		}
		_, err := p.PlanDetail(ctx, &patched, t)
		return err == nil
	}), err
}

// newEmptyResult prepares what to ask; plans reports whether the query with a fragment merged plans.
func newEmptyResult(parts metric.FilterParts, plans func(fragment map[string]any) bool) EmptyResult {
	var out EmptyResult
	for _, part := range parts.Texts {
		t := EmptyText{Field: part.Ref.String(), stored: part.Ref}
		for _, s := range part.Texts {
			t.Texts = append(t.Texts, s.Value)
		}
		t.retry = func(index int, text string) string {
			fragment := map[string]any{part.Key: resolve.ReplaceText(part.Condition, part.TextCondition.Texts[index], text)}
			if !plans(fragment) {
				return ""
			}
			retry, err := repair.PrintFragment(fragment)
			if err != nil {
				return ""
			}
			return retry
		}
		out.Texts = append(out.Texts, t)
	}
	if r := parts.Range; r != nil {
		span := r.Interval.TimeSpan()
		out.Range = &EmptyRange{r.Ref.String(), r.Ref, [2]time.Time{span.From, span.To}}
	}
	return out
}

// Occurring asks for those of the texts that the field has.
func (t EmptyText) Occurring() *query.ValuesQuery {
	in := &sqlexpr.In{X: resolve.Ref{Field: t.stored.Field}.Column()}
	for _, text := range t.Texts {
		in.Items = append(in.Items, &sqlexpr.String{Value: text})
	}
	return &query.ValuesQuery{Field: t.stored.Field.QualifiedName(), WhereSQL: sqlexpr.Format(in), Limit: int64(len(t.Texts))}
}

// Near asks for the values that are like a text.
func (t EmptyText) Near(text string) *query.ValuesQuery {
	return &query.ValuesQuery{Field: t.stored.Field.QualifiedName(), Like: text, Limit: 1}
}

// Retry is the part of the query to merge into it so that it asks for another text in place of that at an index; ""
// if the query does not plan then.
func (t EmptyText) Retry(index int, text string) string { return t.retry(index, text) }

// Bounds asks for the least and the greatest time of the field.
func (r EmptyRange) Bounds() *query.ValuesQuery {
	return &query.ValuesQuery{Field: r.stored.Field.QualifiedName(), Limit: 1}
}

// storedTimeLayouts are the forms of times in results.
var storedTimeLayouts = []string{time.DateOnly, "2006-01-02T15:04:05.999999999", time.RFC3339Nano}

// IsOutside reports whether the range lies outside of the times from least to greatest, which are as in results; of a
// field that stores codes of time they are the days that these mean.
func (r EmptyRange) IsOutside(least, greatest string) bool {
	from, hasFrom := parseStoredTime(least)
	to, hasTo := parseStoredTime(greatest)
	if r.stored.Field.Encoding != nil { // the code may be of any time of its day
		to = to.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	start, end := r.interval[0], r.interval[1]
	return hasFrom && hasTo && (!end.IsZero() && !end.After(from) || !start.IsZero() && start.After(to))
}

func parseStoredTime(text string) (time.Time, bool) {
	i := slices.IndexFunc(storedTimeLayouts, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
	if i < 0 {
		return time.Time{}, false
	}
	t, _ := time.Parse(storedTimeLayouts[i], text)
	return t, true
}
