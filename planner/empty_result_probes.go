package planner

import (
	"context"
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/detail"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/saved"
	"github.com/semlayer/semlayer/planner/query"
)

// EmptyResultProbes is what to ask of the data when a query has no rows.
type EmptyResultProbes struct {
	Texts []TextConditionProbe
	Range *TimeRangeProbe // nil without
}

// TextConditionProbe is a condition that a field has one of some texts.
type TextConditionProbe struct {
	Field  string // as the query names it
	Texts  []string
	stored resolve.Ref
	retry  func(texts map[int]string) string
}

// TimeRangeProbe is a range of time that the query requests.
type TimeRangeProbe struct {
	Field    string // as the query names it
	stored   resolve.Ref
	interval [2]time.Time // zero for an open bound
}

// ProbesOfEmptyMetricResult lists what to ask of the data when a metric query has no rows.
func (p *Planner) ProbesOfEmptyMetricResult(ctx context.Context, q *query.MetricQuery, t Target) (EmptyResultProbes, error) {
	t.Now = t.NowOrCallTime()
	parts, err := saved.PlanRequest(p.cat, q, saved.MetricRequestDecoder, func(q *query.MetricQuery) (metric.TextEqualitiesAndTimeRange, error) {
		return inScopeOf(ctx, p.cat, q.View, q.Sequences, func(cat *catalog.Catalog) (metric.TextEqualitiesAndTimeRange, error) {
			return metric.FindTextEqualitiesAndTimeRange(ctx, cat, q, t)
		})
	})
	return newTextAndTimeRangeProbes(parts, func(fragment map[string]any) bool {
		patched, ok := q.ApplyRetryFragment(fragment)
		if !ok {
			return false
		}
		_, err := p.PlanMetrics(ctx, &patched, t)
		return err == nil
	}), err
}

// ProbesOfEmptyDetailResult does for a detail query what ProbesOfEmptyMetricResult does.
func (p *Planner) ProbesOfEmptyDetailResult(ctx context.Context, q *query.DetailQuery, t Target) (EmptyResultProbes, error) {
	t.Now = t.NowOrCallTime()
	parts, err := saved.PlanRequest(p.cat, q, saved.DetailRequestDecoder, func(q *query.DetailQuery) (metric.TextEqualitiesAndTimeRange, error) {
		return inScopeOf(ctx, p.cat, q.View, q.Sequences, func(cat *catalog.Catalog) (metric.TextEqualitiesAndTimeRange, error) {
			return detail.FindTextEqualitiesAndTimeRange(ctx, cat, q, t)
		})
	})
	return newTextAndTimeRangeProbes(parts, func(fragment map[string]any) bool {
		patched, ok := q.ApplyRetryFragment(fragment)
		if !ok {
			return false
		}
		_, err := p.PlanDetail(ctx, &patched, t)
		return err == nil
	}), err
}

// newTextAndTimeRangeProbes prepares what to ask about the texts and the range of time; plans reports whether the query with a fragment merged plans.
func newTextAndTimeRangeProbes(parts metric.TextEqualitiesAndTimeRange, plans func(fragment map[string]any) bool) EmptyResultProbes {
	var out EmptyResultProbes
	for _, part := range parts.Texts {
		t := TextConditionProbe{Field: part.Ref.String(), stored: part.Ref}
		for _, s := range part.Texts {
			t.Texts = append(t.Texts, s.Value)
		}
		t.retry = func(texts map[int]string) string {
			replaced := make(map[*sqlexpr.String]string, len(texts))
			for index, text := range texts {
				replaced[part.TextCondition.Texts[index]] = text
			}
			fragment := map[string]any{part.Key: resolve.PrintWithReplacedTexts(part.Condition, replaced)}
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
		span := r.Interval.TimeBounds()
		out.Range = &TimeRangeProbe{r.Ref.String(), r.Ref, [2]time.Time{span.From, span.To}}
	}
	return out
}

// OccurringTextsQuery requests those of the texts that the field has.
func (t TextConditionProbe) OccurringTextsQuery() *query.ValuesQuery {
	in := &sqlexpr.In{X: resolve.Ref{Field: t.stored.Field}.AsColumnExpr()}
	for _, text := range t.Texts {
		in.Items = append(in.Items, &sqlexpr.String{Value: text})
	}
	return &query.ValuesQuery{Field: t.stored.Field.QualifiedName(), WhereSQL: sqlexpr.Format(in), Limit: int64(len(t.Texts))}
}

// SimilarValuesQuery requests the values that are like a text.
func (t TextConditionProbe) SimilarValuesQuery(text string) *query.ValuesQuery {
	return &query.ValuesQuery{Field: t.stored.Field.QualifiedName(), Like: text, Limit: 1}
}

// RetryFragment returns the part of the query to merge into it so that it requests another text in place of that at an index; ""
// if the query does not plan then.
func (t TextConditionProbe) RetryFragment(index int, text string) string {
	return t.RetryFragmentOfTexts(map[int]string{index: text})
}

// RetryFragmentOfTexts returns the part of the query to merge into it so that it requests other texts in place of those at some
// indexes; "" if the query does not plan then.
func (t TextConditionProbe) RetryFragmentOfTexts(texts map[int]string) string { return t.retry(texts) }

// StoredBoundsQuery requests the least and the greatest time of the field.
func (r TimeRangeProbe) StoredBoundsQuery() *query.ValuesQuery {
	return &query.ValuesQuery{Field: r.stored.Field.QualifiedName(), Limit: 1}
}

// resultTimeLayouts are the forms of times in results.
var resultTimeLayouts = []string{time.DateOnly, "2006-01-02T15:04:05.999999999", time.RFC3339Nano}

// IsOutsideStoredTimes reports whether the range lies outside of the times from least to greatest, which are as in results; of a
// field that stores codes of time they are the days that these mean.
func (r TimeRangeProbe) IsOutsideStoredTimes(least, greatest string) bool {
	from, hasFrom := parseResultTime(least)
	to, hasTo := parseResultTime(greatest)
	if r.stored.Field.Encoding != nil { // the code may be of any time of its day
		to = to.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	start, end := r.interval[0], r.interval[1]
	return hasFrom && hasTo && (!end.IsZero() && !end.After(from) || !start.IsZero() && start.After(to))
}

func parseResultTime(text string) (time.Time, bool) {
	i := slices.IndexFunc(resultTimeLayouts, func(layout string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	})
	if i < 0 {
		return time.Time{}, false
	}
	t, _ := time.Parse(resultTimeLayouts[i], text)
	return t, true
}
