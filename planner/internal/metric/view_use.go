package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// NewViewUse describes what of a view acts on a query over some homes; nil for a query of the whole model.
func NewViewUse(in *scope.Env, conds where.Conditions, ranges []where.Range, homes []*catalog.Dataset) *plan.ViewUse {
	if in.View == nil {
		return nil
	}
	out := &plan.ViewUse{Name: in.View.Name}
	for _, c := range conds.Input {
		acts := slices.ContainsFunc(homes, func(home *catalog.Dataset) bool { return c.ActsFrom(in.Cat, conds.Refs, home) })
		if c.Filter != "" && acts && !slices.Contains(out.Filters, c.Filter) {
			out.Filters = append(out.Filters, c.Filter)
		}
	}
	if slices.ContainsFunc(ranges, func(r where.Range) bool { return r.OfView }) {
		out.TimeRange = viewrange.Describe(in.View)
	}
	return out
}
