package metric

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/local"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// TextEqualitiesAndTimeRange are the parts of a query's filter that the data may not meet.
type TextEqualitiesAndTimeRange struct {
	Texts []where.FilterTextEquality
	Range *where.FieldTimeRange // nil where no single field has the range
}

// FindTextEqualitiesAndTimeRange lists the parts of the filter of a query that planning accepts.
func FindTextEqualitiesAndTimeRange(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) (TextEqualitiesAndTimeRange, error) {
	var out TextEqualitiesAndTimeRange
	extended, err := local.ExtendCatalog(ctx, cat, q.With, q)
	if err != nil {
		return out, err
	}
	in := scope.NewEnv(ctx, extended, q, t)
	if err := in.CheckAsOfZoneAndWeekStart(); err != nil {
		return out, err
	}
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return out, err
	}
	find := func(parts []string) (resolve.Ref, bool) {
		if len(parts) == 1 && (extended.Metric(parts[0]) != nil || hasGroupByWithName(q, parts[0])) {
			return resolve.Ref{}, false
		}
		ref, err := sel.Names.Resolve(parts)
		return ref, err == nil
	}
	for _, c := range []struct{ key, text string }{{where.WhereSQLKey, q.WhereSQL}, {"context_filter", q.ContextFilter}} {
		out.Texts = append(out.Texts, where.FindFilterTextEqualities(c.key, c.text, find)...)
	}
	out.Range, err = findFieldTimeRange(in, sel)
	return out, err
}

// hasGroupByWithName reports whether the query gives a column a name.
func hasGroupByWithName(q *query.MetricQuery, name string) bool {
	return slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return strings.EqualFold(g.Name, name) })
}

// findFieldTimeRange returns the time range of a query over the field that it names, or over the one axis of all its metrics.
func findFieldTimeRange(in *scope.Env, sel scope.Selection) (*where.FieldTimeRange, error) {
	q := in.Keys.TimeRange
	if q == nil {
		return nil, nil
	}
	interval, err := in.Times.ReadInterval("time_range", *q)
	if err != nil {
		return nil, err
	}
	var ref resolve.Ref
	if q.Dimension != "" && q.Dimension != scope.MetricTime {
		parts, err := resolve.SplitPath(q.Dimension)
		if err == nil {
			ref, err = sel.Names.Resolve(parts)
		}
		if err != nil {
			return nil, err
		}
	} else {
		reach, err := FindQueryHomesRefsAndAxes(in.Context, in.Cat, in.Query, in.Target)
		if err != nil || len(reach.Axes) == 0 || reach.Axes[0] == nil {
			return nil, err
		}
		ref.Field = reach.Axes[0]
		if slices.ContainsFunc(reach.Axes, func(f *catalog.Field) bool { return f != ref.Field }) {
			return nil, nil
		}
	}
	return where.NewFieldTimeRange(in, ref, interval), nil
}
