package saved

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

const paramsKey = "params"

// savedQueryBinding is a saved query with the values that a request binds.
type savedQueryBinding struct {
	cat   *catalog.Catalog
	saved *catalog.SavedQuery
	use   query.SavedQueryUse
	own   map[string]params.CheckedValue // of the saved query's parameters, by name
	rest  []query.ParamBinding           // of the model's parameters
	base  []query.ParamBinding           // params of the saved body
}

// bindSavedQuery finds the saved query and checks the bindings of its parameters.
func bindSavedQuery(cat *catalog.Catalog, use query.SavedQueryUse, kind catalog.SavedQueryKind) (*savedQueryBinding, error) {
	s, err := findSavedQuery(cat, use.Name, kind)
	if err != nil {
		return nil, err
	}
	b := &savedQueryBinding{cat: cat, saved: s, use: use, own: map[string]params.CheckedValue{}}
	for _, x := range use.Params {
		p := s.Param(x.Name)
		if p == nil {
			b.rest = append(b.rest, x)
			continue
		}
		if x.List {
			return nil, b.outOfDomainError(p, p.Name+" belongs to the saved query "+s.Name+", so it takes one value, not a list")
		}
		v, why := params.Read(p, x.Values[0])
		if why != "" {
			return nil, b.outOfDomainError(p, why)
		}
		b.own[p.Name] = v
	}
	return b, nil
}

// findSavedQuery returns the saved query of a name, which must be of the kind.
func findSavedQuery(cat *catalog.Catalog, name string, kind catalog.SavedQueryKind) (*catalog.SavedQuery, error) {
	s := cat.SavedQuery(name)
	switch {
	case s == nil:
		return nil, unknownSavedQueryError(cat, name, kind)
	case s.Err != nil:
		return nil, s.Err
	case s.Kind != kind:
		return nil, &planerr.Error{Code: planerr.CodeBadRequest, Message: "the saved query " + s.Name + " is the body of another endpoint: " + endpointHints[s.Kind]}
	}
	return s, nil
}

// endpointHints lists where requests for saved queries of each kind go.
var endpointHints = map[catalog.SavedQueryKind]string{
	catalog.SavedKindMetrics:     "use it with /v1/query/compile, /v1/query/explain or /v1/query/execute",
	catalog.SavedKindDetail:      "use it with /v1/select/compile, /v1/select/explain or /v1/select/execute",
	catalog.SavedKindAttribution: "use it with /v1/query/attribute",
}

// unknownSavedQueryError returns the error of a name that no saved query has. Its retry is the nearest
// that the endpoint takes.
func unknownSavedQueryError(cat *catalog.Catalog, name string, kind catalog.SavedQueryKind) error {
	var all, sameKind []string
	for _, s := range cat.Saved {
		all = append(all, s.Name)
		if s.Kind == kind && s.Err == nil {
			sameKind = append(sameKind, s.Name)
		}
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownSavedQuery,
		Message:    "the model has no saved query " + planerr.ClipText(name),
		Candidates: suggest.Nearest(name, all, resolve.MaxCandidates),
	}
	if near := suggest.Nearest(name, sameKind, 1); len(near) > 0 {
		e.Fragment = map[string]any{"saved": near[0]}
	}
	return e
}

// mergedParams returns the params of the query: those of the body, with the bindings of the request
// in place of theirs. A null removes the body's binding.
func (b *savedQueryBinding) mergedParams() []query.ParamBinding {
	out := slices.Clone(b.base)
	for _, x := range b.rest {
		at := indexOfBinding(out, x.Name)
		switch {
		case at < 0:
			out = append(out, x)
		case isNullBinding(x):
			out = slices.Delete(out, at, at+1)
		default:
			out[at] = x
		}
	}
	return out
}

func isNullBinding(x query.ParamBinding) bool { return !x.List && x.Values[0].Kind == query.NullValue }

func indexOfBinding(list []query.ParamBinding, name string) int {
	return slices.IndexFunc(list, func(x query.ParamBinding) bool { return x.Name == name })
}

// slotValue returns what the slot of a parameter is filled with.
func (b *savedQueryBinding) slotValue(name string) (params.CheckedValue, error) {
	p := b.saved.Param(name)
	if v, ok := b.own[name]; ok {
		return v, nil
	}
	if p.Default == nil {
		if err := b.misspeltParamError(p); err != nil {
			return params.CheckedValue{}, err
		}
		return params.CheckedValue{}, b.outOfDomainError(p, "the saved query "+b.saved.Name+" needs a value for "+p.Name)
	}
	v, why := params.Read(p, query.ParamValue{Kind: params.JSONKindOf(p), Text: params.LiteralText(p.Default)})
	if why != "" {
		return params.CheckedValue{}, b.outOfDomainError(p, why)
	}
	return v, nil
}

// outOfDomainError returns the error of a parameter of the saved query that has no valid value. Its
// retry binds one.
func (b *savedQueryBinding) outOfDomainError(p *catalog.Param, why string) error {
	e := &planerr.Error{Code: planerr.CodeParamOutOfDomain, Message: why + params.DomainText(p)}
	valid, ok := params.ExampleValue(p)
	bound := slices.Clone(b.use.Params)
	at := indexOfBinding(bound, p.Name)
	if at >= 0 && len(bound[at].Values) > 0 {
		valid, ok = params.NearestValue(p, bound[at].Values[0])
	}
	if !ok {
		return e
	}
	x := query.ParamBinding{Name: p.Name, Values: []query.ParamValue{valid}}
	if at >= 0 {
		bound[at] = x
	} else {
		bound = append(bound, x)
	}
	e.Fragment = map[string]any{paramsKey: query.Bindings(bound)}
	return e
}
