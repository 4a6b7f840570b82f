package metric

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Plan plans a query of the metric plane. Each pass takes what the passes before it
// returned. The error is a *planerr.Error, the *modelspec.CompileError of an object that
// the query uses, or what ctx ended with.
func Plan(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) (*plan.Planned, error) {
	in := NewEnv(ctx, cat, q, t)
	sel, err := Select(in)
	if err != nil {
		return nil, err
	}
	groups, err := Groups(in, sel)
	if err != nil {
		return nil, err
	}
	if err := checkConformed(in, sel, groups); err != nil {
		return nil, err
	}
	bound, err := Bind(in, sel)
	if err != nil {
		return nil, err
	}
	if err := countColumns(in, sel, groups, bound); err != nil {
		return nil, err
	}
	cols, err := expand(in, sel, groups, bound)
	if err != nil {
		return nil, err
	}
	if err := checkOutputNames(in, sel, groups, cols.columns); err != nil {
		return nil, err
	}
	a, err := resolveQuery(in, sel, groups, bound, cols)
	if err != nil {
		return nil, err
	}
	combined, err := planCombined(a)
	if err != nil {
		return nil, err
	}
	return assemble(a, combined)
}

// resolvedQuery is a query with everything in it resolved: what it asks for, before it is
// decided how that is computed.
type resolvedQuery struct {
	in     *Env
	sel    Selection
	groups []Group
	cols   Expansion
	conds  predicates
	ranges []timeRange
	lod    lodTables
}

// resolveQuery resolves the conditions and the time ranges of an expanded query.
func resolveQuery(in *Env, sel Selection, groups []Group, bound Bindings, cols Expansion) (*resolvedQuery, error) {
	conds, err := resolveFilters(in, sel, groups, cols)
	if err != nil {
		return nil, err
	}
	if err := bound.CheckParams(RowParams(in, groups, conds.refs)); err != nil {
		return nil, err
	}
	ranges, err := resolveRanges(in, sel, groups, cols)
	if err != nil {
		return nil, err
	}
	return &resolvedQuery{
		in: in, sel: sel, groups: groups, cols: cols, conds: conds, ranges: ranges,
		lod: lodTables{in: in, groups: groups, bound: bound, variants: cols.variants, refs: conds.refs, population: conds.population},
	}, nil
}

// planCombined plans the branches of a query and puts them together.
func planCombined(a *resolvedQuery) (*CombinedBranches, error) {
	branches, slots, err := buildBranches(a)
	if err != nil {
		return nil, err
	}
	if err := checkAxisStorage(a.in.Query, a.groups, branches); err != nil {
		return nil, err
	}
	nodes, err := planBranches(a, branches)
	if err != nil {
		return nil, err
	}
	return combine(a, branches, slots, nodes), nil
}

// Combine plans an expanded query up to where its branches meet. It is for queries whose
// conditions all apply before aggregation.
func Combine(in *Env, sel Selection, groups []Group, bound Bindings, cols Expansion) (*CombinedBranches, error) {
	a, err := resolveQuery(in, sel, groups, bound, cols)
	if err != nil {
		return nil, err
	}
	combined, err := planCombined(a)
	if err != nil {
		return nil, err
	}
	if len(a.conds.result) > 0 {
		return nil, InternalError("a condition was placed after aggregation in a query that has no result columns")
	}
	return combined, nil
}
