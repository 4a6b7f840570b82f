package saved

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// toRequestError translates the retry of an error about the query into one of the request.
func (b *savedQueryBinding) toRequestError(err error) error {
	var e *planerr.Error
	if !errors.As(err, &e) {
		return err
	}
	here := *e
	switch {
	case here.Code == planerr.CodeMetricInDetailQuery && strings.HasPrefix(here.SuggestedRetry, "{"):
		here.SuggestedRetry = `{"saved":null,` + here.SuggestedRetry[1:]
	case here.Code == planerr.CodeUnknownMetricParam:
		here.Candidates = append(b.paramNames(), here.Candidates...)
		here.Candidates = here.Candidates[:min(len(here.Candidates), resolve.MaxCandidates)]
	}
	bound, ok := here.Fragment[paramsKey]
	if !ok {
		return &here
	}
	wanted, _ := bound.(query.Bindings)
	if renamed, ok := b.bindingsWithUnknownParamRenamed(wanted); ok && here.Code == planerr.CodeUnknownMetricParam {
		here.Fragment = map[string]any{paramsKey: renamed}
		return &here
	}
	here.Fragment = b.fragmentWithParams(here.Fragment, wanted)
	return &here
}

func (b *savedQueryBinding) paramNames() []string {
	out := make([]string, len(b.saved.Params))
	for i, p := range b.saved.Params {
		out[i] = p.Name
	}
	return out
}

// bindingsWithUnknownParamRenamed returns the params of the request with the unknown binding, which wanted
// lacks, under the name of the saved query's parameter that was probably meant.
func (b *savedQueryBinding) bindingsWithUnknownParamRenamed(wanted query.Bindings) (query.Bindings, bool) {
	free := slices.DeleteFunc(b.paramNames(), func(name string) bool { return indexOfBinding(b.use.Params, name) >= 0 })
	for _, x := range b.rest {
		near, ok := suggest.ClosestIfNear(x.Name, free)
		if !ok || x.List || x.Name == "" || indexOfBinding(wanted, x.Name) >= 0 || !strings.EqualFold(x.Name[:1], near[:1]) {
			continue
		}
		out := slices.Clone(b.use.Params)
		out[indexOfBinding(out, x.Name)].Name = near
		return out, true
	}
	return nil, false
}

// misspeltParamError returns the error of a binding that was probably meant for a parameter without
// a value: its name is near, and nothing in the model declares it. Nil if there is none.
func (b *savedQueryBinding) misspeltParamError(p *catalog.Param) error {
	renamed, ok := b.bindingsWithUnknownParamRenamed(nil)
	if !ok {
		return nil
	}
	i := indexOfBinding(renamed, p.Name)
	if i < 0 || modelDeclaresParam(b.cat, b.use.Params[i].Name) {
		return nil
	}
	return &planerr.Error{
		Code:       planerr.CodeUnknownMetricParam,
		Message:    "params binds " + planerr.ClipText(b.use.Params[i].Name) + ", which neither the saved query " + b.saved.Name + " nor a metric declares",
		Candidates: suggest.Nearest(b.use.Params[i].Name, b.paramNames(), resolve.MaxCandidates),
		Fragment:   map[string]any{paramsKey: renamed},
	}
}

// modelDeclaresParam reports whether a metric or a field of the model declares a parameter of the name.
func modelDeclaresParam(cat *catalog.Catalog, name string) bool {
	named := func(p *catalog.Param) bool { return p.Name == name }
	for _, m := range cat.ShownMetrics() {
		if slices.ContainsFunc(m.Params, named) {
			return true
		}
	}
	for _, d := range cat.ShownDatasets() {
		for _, f := range d.Fields {
			if f.LOD != nil && slices.ContainsFunc(f.LOD.Params, named) {
				return true
			}
		}
	}
	return false
}

// fragmentWithParams returns a fragment whose params, put into the request, make those of the
// query the wanted ones; nil when no request can say that.
func (b *savedQueryBinding) fragmentWithParams(fragment map[string]any, wanted query.Bindings) map[string]any {
	out := query.Bindings{}
	for _, x := range b.use.Params {
		if _, own := b.own[x.Name]; own {
			out = append(out, x)
		}
	}
	for _, x := range wanted {
		if b.saved.Param(x.Name) != nil {
			return nil // the name is taken
		}
		out = append(out, x)
	}
	for _, x := range b.base {
		if indexOfBinding(wanted, x.Name) < 0 {
			out = append(out, query.ParamBinding{Name: x.Name, Values: []query.ParamValue{{Kind: query.NullValue, Text: "null"}}})
		}
	}
	relative := maps.Clone(fragment)
	relative[paramsKey] = out
	return relative
}
