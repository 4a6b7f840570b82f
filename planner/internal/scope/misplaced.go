package scope

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// addMisplacedMetricRetry adds to the error of a group-by that is a metric a retry with the metric in its own list.
func addMisplacedMetricRetry(in *Env, err error, item query.GroupBy) error {
	var e *planerr.Error
	q := in.Query
	if m := in.Cat.Metric(item.Field); m == nil || m.Name != item.Field || q.Distinct || !errors.As(err, &e) || e.Fragment != nil {
		return err
	}
	e.Fragment = map[string]any{"group_by": nil}
	if others := slices.DeleteFunc(slices.Clone(q.GroupBy), func(g query.GroupBy) bool { return g == item }); len(others) > 0 {
		e.Fragment["group_by"] = others
	}
	if !slices.Contains(q.Metrics, item.Field) {
		e.Fragment["metrics"] = q.MetricItemsNamed(append(slices.Clone(q.Metrics), item.Field))
	}
	return err
}

// addMisplacedFieldRetry adds to the error of a metric that is a field a retry with the field among the group-bys. Without
// another metric it lists the values of the field.
func addMisplacedFieldRetry(in *Env, e *planerr.Error, name string) {
	q := in.Query
	if q == nil {
		return
	}
	parts, err := resolve.SplitPath(name)
	if err != nil {
		return
	}
	names := resolve.Resolver{Cat: in.Cat}
	for _, other := range q.Metrics {
		if m := in.Cat.Metric(other); m != nil {
			names.Homes = append(names.Homes, m.Datasets...)
		}
	}
	if _, err := names.Resolve(parts); err != nil {
		return
	}
	others := slices.DeleteFunc(slices.Clone(q.Metrics), func(other string) bool { return other == name })
	e.Fragment = map[string]any{"metrics": q.MetricItemsNamed(others)}
	if len(others) == 0 {
		e.Fragment["metrics"], e.Fragment["distinct"] = nil, true
	}
	if !slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Field == name }) {
		e.Fragment["group_by"] = append(slices.Clone(q.GroupBy), query.GroupBy{Field: name})
	}
}
