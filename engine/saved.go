package engine

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
)

// SavedInfo describes a query that the model holds under a name.
type SavedInfo = describe.SavedQuery

// Saved lists the saved queries in the order of the model. A query, a detail query or an
// attribution uses one by its name in Saved.
func (e *Engine) Saved() []SavedInfo { return e.describer.SavedQueries() }

// savedName is the declared name of a saved query.
func (e *Engine) savedName(name string) string {
	if name == "" {
		return ""
	}
	if s := e.cat.SavedQuery(name); s != nil {
		return s.Name
	}
	return name
}

// metricsOf are the metrics that a query names, else those of its saved query.
func (e *Engine) metricsOf(metrics []string, saved string) []string {
	if len(metrics) > 0 || saved == "" {
		return metrics
	}
	if s := e.cat.SavedQuery(saved); s != nil {
		return s.Metrics
	}
	return nil
}

// compileErrors lists the objects of a catalog that did not compile and the saved queries
// that do not plan, in the order of the model.
func compileErrors(ctx context.Context, cat *catalog.Catalog, plans *planner.Planner, t planner.Target) ([]*CompileError, error) {
	unplanned, err := plans.CheckSaved(ctx, t)
	if err != nil {
		return nil, err
	}
	out := slices.Concat(cat.Errors, unplanned)
	slices.SortStableFunc(out, func(a, b *CompileError) int { return a.Position.Compare(b.Position) })
	return out, nil
}
