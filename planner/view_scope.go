package planner

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// catalogInView returns the catalog whose names are those of a view; cat itself for "".
func catalogInView(cat *catalog.Catalog, name string) (*catalog.Catalog, error) {
	if name == "" {
		return cat, nil
	}
	v := cat.View(name)
	switch {
	case v == nil:
		return nil, unknownViewError(cat, name)
	case v.Err != nil:
		return nil, v.Err
	}
	return cat.InView(v), nil
}

// withConditionsOf plans a statement over a view, whose names are resolved.
func withConditionsOf(cat *catalog.Catalog, view string, plan func(*catalog.Catalog) (*Planned, error)) (*Planned, error) {
	if view == "" {
		return plan(cat)
	}
	v := cat.View(view)
	if v == nil {
		return nil, unknownViewError(cat, view)
	}
	return plan(cat.WithConditionsOf(v))
}

// unknownViewError returns the error of a name that no view has. Its retry is the nearest, else the request outside of views.
func unknownViewError(cat *catalog.Catalog, name string) error {
	var names []string
	for _, v := range cat.Views {
		if v.Err == nil {
			names = append(names, v.Name)
		}
	}
	e := &planerr.Error{
		Code: planerr.CodeUnknownView, Message: "the model has no view " + planerr.ClipText(name),
		Candidates: suggest.Nearest(name, names, resolve.MaxCandidates), Fragment: map[string]any{"view": nil},
	}
	if better, ok := suggest.Respelling(name, names); ok {
		e.Fragment["view"] = better
	}
	return e
}

// inViewOf plans a request against the catalog of its view.
func inViewOf[P any](cat *catalog.Catalog, view string, plan func(*catalog.Catalog) (P, error)) (P, error) {
	scoped, err := catalogInView(cat, view)
	if err != nil {
		var none P
		return none, err
	}
	return plan(scoped)
}
