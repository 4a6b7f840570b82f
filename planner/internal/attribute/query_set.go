package attribute

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/query"
)

// querySetBuilder makes the queries of an attribution.
type querySetBuilder struct {
	windows  attributionWindows
	where    sqlexpr.Expr              // the request's where_sql, over names
	bindings map[string]query.Bindings // what each query reads, by its dimension ("" for the totals)
	declared []*catalog.Param          // what any of them reads
	mapped   bool                      // the queries read other windows than the request's, or its last buckets
}

// assignParamsToQueries gives each query of the attribution the bindings that it reads:
// those of the metric, and those of the level-of-detail fields that it groups or
// filters by. Only what none of them reads is unknown.
func (w attributionWindows) assignParamsToQueries(where sqlexpr.Expr) (querySetBuilder, error) {
	f := querySetBuilder{windows: w, where: where, bindings: map[string]query.Bindings{}}
	everySettled := true
	for _, dimension := range append([]string{""}, w.request.q.Dimensions...) {
		read, ok := f.paramsReadByQuery(dimension)
		if !ok {
			// Planning the query finds the reason; until then it is not known what it reads.
			everySettled = false
			f.bindings[dimension] = w.request.q.Params
			continue
		}
		for _, p := range read {
			if !slices.Contains(f.declared, p) {
				f.declared = append(f.declared, p)
			}
		}
		for _, p := range w.request.q.Params {
			if declaresParam(read, p.Name) {
				f.bindings[dimension] = append(f.bindings[dimension], p)
			}
		}
	}
	if !everySettled {
		return f, nil
	}
	s, err := f.windows.request.newMetricWithBoundParams()
	if err != nil {
		return f, err
	}
	for _, p := range w.request.q.Params {
		if !declaresParam(f.declared, p.Name) {
			return f, s.bound.UnknownParamError(p.Name, f.declared)
		}
	}
	return f, nil
}

func declaresParam(params []*catalog.Param, name string) bool {
	return slices.ContainsFunc(params, func(p *catalog.Param) bool { return p.Name == name })
}

// paramsReadByQuery lists the parameters that the query for a dimension reads; ok is false
// when the query is going to be rejected.
func (f querySetBuilder) paramsReadByQuery(dimension string) (out []*catalog.Param, ok bool) {
	in := f.windows.request.newMetricEnv(f.newMetricQuery(dimension))
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return nil, false
	}
	groups, err := scope.ResolveGroups(in, sel)
	if err != nil {
		return nil, false
	}
	row, err := where.LODParamsOfQuery(in, sel, groups)
	if err != nil {
		return nil, false
	}
	return append(f.windows.request.cat.ParamsOfMetric(f.windows.request.metric, f.windows.request.target.Dialect), row...), true
}

// newMetricQuery requests the metric by a dimension ("" for none), in all ranges.
func (f querySetBuilder) newMetricQuery(dimension string) *query.MetricQuery {
	q := &query.MetricQuery{
		Metrics:       []string{f.windows.request.metric.Name},
		WhereSQL:      f.windows.request.q.WhereSQL,
		ContextFilter: f.windows.request.q.ContextFilter,
		TimeRanges:    f.windows.ranges,
		Params:        f.bindings[dimension],
	}
	if dimension != "" {
		q.GroupBy = []query.GroupBy{{Field: dimension}}
	}
	return q
}

// metricWithBoundParams is the metric with its parameters bound, and no query around it.
type metricWithBoundParams struct {
	in    *scope.Env
	sel   scope.Selection
	bound scope.Bindings
	x     *measure.Expander
}

func (r *attributionRequest) newMetricWithBoundParams() (metricWithBoundParams, error) {
	in := r.newMetricEnv(&query.MetricQuery{Metrics: []string{r.metric.Name}, Params: r.q.Params})
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return metricWithBoundParams{}, err
	}
	bound, err := scope.BindParams(in, sel)
	if err != nil {
		return metricWithBoundParams{}, err
	}
	return metricWithBoundParams{in, sel, bound, measure.NewExpander(in, sel, nil, bound)}, nil
}

// newMetricExpansionContext returns what the metric's value depends on in an attribution: the bound
// parameters, no tag.
func (r *attributionRequest) newMetricExpansionContext(bound scope.Bindings) measure.Context {
	return measure.Context{Choice: bound.ChoiceOfFirstBoundValues(), Tag: -1, Owner: r.metric.Name}
}
