package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/query"
)

// spreadParams gives each query of the attribution the bindings that it reads:
// those of the metric, and those of the level-of-detail fields that it groups or
// filters by. Only what none of them reads is unknown.
func (a *attributing) spreadParams() error {
	a.bound = map[string]query.Bindings{}
	everySettled := true
	for _, dimension := range append([]string{""}, a.q.Dimensions...) {
		read, ok := a.paramsRead(dimension)
		if !ok {
			// Planning the query tells why; until then nobody knows what it reads.
			everySettled = false
			a.bound[dimension] = a.q.Params
			continue
		}
		for _, p := range read {
			if !slices.Contains(a.declared, p) {
				a.declared = append(a.declared, p)
			}
		}
		for _, p := range a.q.Params {
			if declares(read, p.Name) {
				a.bound[dimension] = append(a.bound[dimension], p)
			}
		}
	}
	if !everySettled {
		return nil
	}
	b, err := a.scratch()
	if err != nil {
		return err
	}
	for _, p := range a.q.Params {
		if !declares(a.declared, p.Name) {
			return b.unknownParam(p.Name, a.declared)
		}
	}
	return nil
}

func declares(params []*catalog.Param, name string) bool {
	return slices.ContainsFunc(params, func(p *catalog.Param) bool { return p.Name == name })
}

// paramsRead lists the parameters that the query for a dimension reads; ok is false
// when the query is going to be refused.
func (a *attributing) paramsRead(dimension string) (out []*catalog.Param, ok bool) {
	b := &build{cat: a.planner.cat, target: a.target, q: a.query(dimension)}
	for _, phase := range []func() error{b.selectMetrics, b.resolveGroups, b.resolveFilters} {
		if phase() != nil {
			return nil, false
		}
	}
	return append(b.declaredParams(), b.lodParams()...), true
}

// query asks for the metric by a dimension ("" for none), in all ranges.
func (a *attributing) query(dimension string) *query.MetricQuery {
	q := &query.MetricQuery{
		Metrics:       []string{a.metric.Name},
		WhereSQL:      a.q.WhereSQL,
		ContextFilter: a.q.ContextFilter,
		TimeRanges:    a.ranges,
		Params:        a.bound[dimension],
	}
	if dimension != "" {
		q.GroupBy = []query.GroupBy{{Field: dimension}}
	}
	return q
}

// rebound is the request's params with those that the params of one query became.
func (a *attributing) rebound(params query.Bindings) query.Bindings {
	out := slices.Clone(a.q.Params)
	for _, p := range params {
		if i := slices.IndexFunc(out, func(o query.ParamBinding) bool { return o.Name == p.Name }); i >= 0 {
			out[i] = p
		} else {
			out = append(out, p)
		}
	}
	return out
}
