package metric

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// FilterTextsAndRange are the parts of a query's filter that the data may not meet.
type FilterTextsAndRange struct {
	Texts []FilterTextCondition
	Range *FilterTimeRange // nil where no single field has the range
}

// FilterTextCondition is a conjunct that compares a field with texts.
type FilterTextCondition struct {
	resolve.TextCondition
	Key       string // of the condition
	Condition sqlexpr.Expr
}

// FilterTimeRange is a range of time over a field, as the field stores it.
type FilterTimeRange struct {
	Ref      resolve.Ref
	Interval timerange.Interval
}

// FindFilterTextsAndRange lists the parts of the filter of a query that planning accepts.
func FindFilterTextsAndRange(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) (FilterTextsAndRange, error) {
	var out FilterTextsAndRange
	extended, err := ExtendCatalog(ctx, cat, q.With, q)
	if err != nil {
		return out, err
	}
	in := NewEnv(ctx, extended, q, t)
	if err := in.CheckTimeKeys(); err != nil {
		return out, err
	}
	sel, err := SelectMetrics(in)
	if err != nil {
		return out, err
	}
	find := func(parts []string) (resolve.Ref, bool) {
		if len(parts) == 1 && (extended.Metric(parts[0]) != nil || hasGroupByWithName(q, parts[0])) {
			return resolve.Ref{}, false
		}
		ref, err := sel.names.Resolve(parts)
		return ref, err == nil
	}
	for _, c := range []struct{ key, text string }{{WhereSQLKey, q.WhereSQL}, {"context_filter", q.ContextFilter}} {
		out.Texts = append(out.Texts, FindFilterTextConditions(c.key, c.text, find)...)
	}
	out.Range, err = findFilterTimeRange(in, sel)
	return out, err
}

// FindFilterTextConditions lists the conjuncts of a condition that compare fields with texts.
func FindFilterTextConditions(key, text string, find func(parts []string) (resolve.Ref, bool)) []FilterTextCondition {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	condition, err := resolve.ParseCondition(key, text)
	if err != nil {
		return nil
	}
	var out []FilterTextCondition
	for _, c := range resolve.FindTextConditions(condition, find) {
		out = append(out, FilterTextCondition{c, key, condition})
	}
	return out
}

// hasGroupByWithName reports whether the query gives a column a name.
func hasGroupByWithName(q *query.MetricQuery, name string) bool {
	return slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return strings.EqualFold(g.Name, name) })
}

// findFilterTimeRange is the time range of a query over the field that it names, or over the one axis of all its metrics.
func findFilterTimeRange(in *Env, sel MetricSelection) (*FilterTimeRange, error) {
	q := in.Query.TimeRange
	if q == nil {
		return nil, nil
	}
	interval, err := in.Times.ReadInterval("time_range", *q)
	if err != nil {
		return nil, err
	}
	var ref resolve.Ref
	if q.Dimension != "" && q.Dimension != MetricTime {
		parts, err := resolve.SplitPath(q.Dimension)
		if err == nil {
			ref, err = sel.names.Resolve(parts)
		}
		if err != nil {
			return nil, err
		}
	} else {
		reach, err := FindQueryInputs(in.ctx, in.Cat, in.Query, in.Target)
		if err != nil || len(reach.Axes) == 0 || reach.Axes[0] == nil {
			return nil, err
		}
		ref.Field = reach.Axes[0]
		if slices.ContainsFunc(reach.Axes, func(f *catalog.Field) bool { return f != ref.Field }) {
			return nil, nil
		}
	}
	return NewFilterTimeRange(in, ref, interval), nil
}

// NewFilterTimeRange is a range over a field, as the field stores it.
func NewFilterTimeRange(in *Env, ref resolve.Ref, interval timerange.Interval) *FilterTimeRange {
	return &FilterTimeRange{ref, interval.OnClock(in.Times.Clock.ForField(ref.Field)).WidenToStoredPeriods(ref.Field)}
}
