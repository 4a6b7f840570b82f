package scope

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// UnknownParamError returns the error of a binding that none of the declared parameters has the name of.
func (b Bindings) UnknownParamError(name string, declared []*catalog.Param) error {
	var names []string
	for _, d := range declared {
		if !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownMetricParam,
		Message:    "params binds " + name + ", which no queried metric declares",
		Candidates: suggest.Nearest(name, names, resolve.MaxCandidates),
	}
	meant := b.nearestParamName(name, names)
	rest := query.Bindings{}
	for _, p := range b.QueryBindings() {
		switch {
		case p.Name != name:
			rest = append(rest, p)
		case meant != "":
			p.Name = meant
			rest = append(rest, p)
		}
	}
	if e.Fragment = map[string]any{"params": rest}; len(rest) == 0 {
		e.Fragment["params"] = nil
	}
	return e
}

// nearestParamName returns the parameter that a binding of another name was meant for: a close
// one that the query does not bind otherwise, "" for none. Leaving the binding out
// instead would answer another question.
func (b Bindings) nearestParamName(name string, declared []string) string {
	free := slices.DeleteFunc(slices.Clone(declared), func(d string) bool { return b.indexOfBinding(d) >= 0 })
	if i := slices.IndexFunc(free, func(d string) bool { return strings.EqualFold(d, name) }); i >= 0 {
		return free[i]
	}
	closest, ok := suggest.ClosestIfNear(name, free)
	if !ok || name == "" || !strings.EqualFold(name[:1], closest[:1]) {
		return "" // most is near to least
	}
	return closest
}

// OutOfDomainError returns the error of a value that a parameter does not take; its retry
// binds one that it does, the nearest to what was bound.
func (b Bindings) OutOfDomainError(p *catalog.Param, why string) error {
	e := &planerr.Error{Code: planerr.CodeParamOutOfDomain, Message: why + params.DomainText(p)}
	for _, m := range b.metrics {
		if slices.Contains(b.declaredParamsOfMetric(m), p) {
			e.Metrics = append(e.Metrics, m.Name)
		}
	}
	bound := query.Bindings{}
	replaced := false
	for _, x := range b.QueryBindings() {
		if x.Name == p.Name {
			replaced = true
			if x, ok := repairedParamBinding(p, x); ok {
				bound = append(bound, x)
				continue
			}
			return e
		}
		bound = append(bound, x)
	}
	if !replaced {
		valid, ok := params.ExampleValue(p)
		if !ok {
			return e
		}
		bound = append(bound, query.ParamBinding{Name: p.Name, Values: []query.ParamValue{valid}})
	}
	e.Fragment = map[string]any{"params": bound}
	return e
}

// TooManyCombinationsError returns the error of lists that expand metrics into too many columns.
func (b Bindings) TooManyCombinationsError(metrics ...string) error {
	e := &planerr.Error{
		Code:    planerr.CodeParamExpansionTooLarge,
		Message: "the lists in params expand beyond 64 result columns",
		Metrics: metrics,
	}
	shorter := make(query.Bindings, len(b.QueryBindings()))
	for i, p := range b.QueryBindings() {
		if p.List {
			p.Values = p.Values[:1]
		}
		shorter[i] = p
	}
	e.Fragment = map[string]any{"params": shorter}
	return e
}

// repairedParamBinding returns a binding with values that the parameter takes: of a list those that it
// takes already, of one value the nearest. A list in which nothing is wrong is
// given where one value is wanted; and one value that the declaration takes and a window does
// not gives way to an example.
func repairedParamBinding(p *catalog.Param, x query.ParamBinding) (query.ParamBinding, bool) {
	var values []query.ParamValue
	seen := map[string]bool{}
	for _, v := range x.Values {
		if read, why := params.Read(p, v); why == "" && !seen[read.Text] && len(values) < MaxColumnsOfParamLists {
			seen[read.Text] = true
			values = append(values, v)
		}
	}
	switch {
	case len(values) > 0 && len(values) < len(x.Values):
		x.Values = values
		return x, true
	case len(values) > 0 && x.List:
		x.List, x.Values = false, values[:1]
		return x, true
	}
	valid, ok := params.ExampleValue(p)
	if len(values) == 0 && len(x.Values) > 0 {
		valid, ok = params.NearestValue(p, x.Values[0])
	}
	x.List, x.Values = false, []query.ParamValue{valid}
	return x, ok
}
