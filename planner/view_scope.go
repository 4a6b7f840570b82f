package planner

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/local"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// catalogInView returns the catalog whose names are those of a view; cat itself for "".
func catalogInView(cat *catalog.Catalog, name string) (*catalog.Catalog, error) {
	if name == "" {
		return cat, nil
	}
	v, err := findView(cat, name)
	if err != nil {
		return nil, err
	}
	return cat.InView(v), nil
}

// FindView returns the view of a name. The error is a *planerr.Error of code unknown_view, or the compile error of the view.
// The retry is for a list: it has no other part that could fail.
func FindView(cat *catalog.Catalog, name string) (*catalog.View, error) {
	v, err := findView(cat, name)
	var refused *planerr.Error
	if errors.As(err, &refused) {
		if refused.SuggestedRetry, err = repair.PrintFragment(refused.Fragment); err == nil {
			err = refused
		}
	}
	return v, err
}

func findView(cat *catalog.Catalog, name string) (*catalog.View, error) {
	v := cat.View(name)
	if v == nil {
		return nil, unknownViewError(cat, name)
	}
	if v.Err != nil {
		return nil, v.Err
	}
	return v, nil
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

// inScopeOf plans a request against the catalog of its view, with the sequences of the request as datasets.
func inScopeOf[P any](ctx context.Context, cat *catalog.Catalog, view string, sequences []query.Sequence, plan func(*catalog.Catalog) (P, error)) (P, error) {
	return inViewOf(cat, view, func(cat *catalog.Catalog) (P, error) {
		wider, err := local.ExtendWithSequences(ctx, cat, sequences)
		if err != nil {
			var none P
			return none, err
		}
		return plan(wider)
	})
}

// inViewOf plans a request against the catalog of its view.
func inViewOf[P any](cat *catalog.Catalog, view string, plan func(*catalog.Catalog) (P, error)) (P, error) {
	scoped, err := catalogInView(cat, view)
	if err != nil {
		var none P
		return none, err
	}
	planned, err := plan(scoped)
	if err == nil {
		return planned, nil
	}
	var refused *planerr.Error
	if view != "" && errors.As(err, &refused) {
		of := *refused
		of.View, err = scoped.ScopeView().Name, &of
	}
	return planned, err
}
