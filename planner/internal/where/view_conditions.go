package where

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
)

// What a view adds to the conditions of a request:
//
//	where      a condition on the population of each branch that leads to its fields
//	filters    conditions on input rows of such branches; each unless the request names a field of it in a condition
//	time_range the range of such branches; unless the request has a range, or names its field in a condition
//
// Their names are those of the whole model.

// viewWhere returns the condition that defines the view, with the references so far.
func (f filterReader) viewWhere() ([]Conjunct, resolve.Refs, error) {
	if f.in.View == nil || f.in.View.Where.Named == "" {
		return nil, f.refs, nil
	}
	return ParseViewCondition(f.in, f.in.View.Where, f.refs)
}

// ParseViewCondition parses a condition of the view of a query with the names of the whole model, over references that are added to others.
func ParseViewCondition(in *scope.Env, c catalog.ViewCondition, refs resolve.Refs) ([]Conjunct, resolve.Refs, error) {
	f := filterReader{in: in, sel: scope.Selection{Names: viewrange.NewModelResolver(in.Cat)}, refs: slices.Clone(refs)}
	conjuncts, err := f.parseConjuncts("context_filter", c.Named)
	out := make([]Conjunct, len(conjuncts))
	for i, c := range conjuncts {
		out[i] = Conjunct{Text: c.text, Expr: c.expr, Refs: c.fields, WhereReached: true}
	}
	return out, f.refs, err
}

// viewFilters returns the conditions that the view has by default and the conditions of the request leave, with the references so far.
func (f filterReader) viewFilters(ofRequest ...conjunct) (out []conjunct, refs resolve.Refs, err error) {
	if !f.in.HasViewDefaults() {
		return nil, f.refs, nil
	}
	named := f.refsOfConjuncts(ofRequest)
	refs = f.refs
	for _, filter := range f.in.View.Filters {
		conjuncts, all, err := ParseViewCondition(f.in, filter, refs)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(conjuncts, func(c Conjunct) bool { return viewrange.NamesAny(named, c.NamedRefs(all)) }) {
			continue
		}
		refs = all
		for _, c := range conjuncts {
			out = append(out, conjunct{text: c.Text, expr: c.Expr, fields: c.Refs, filter: filter.Text})
		}
	}
	return out, refs, nil
}

// refsOfConjuncts lists the fields that conditions of the request name, also by the groups that carry them.
func (f filterReader) refsOfConjuncts(all []conjunct) resolve.Refs {
	var out resolve.Refs
	for _, c := range all {
		for _, id := range c.fields {
			out.IndexOrAdd(f.refs[id])
		}
		for _, i := range c.columns {
			if i < len(f.groups) {
				viewrange.AddRefsOfGroup(&out, f.groups[i])
			}
		}
	}
	return out
}

// NamedRefs lists the references of the condition.
func (c Conjunct) NamedRefs(refs resolve.Refs) resolve.Refs {
	var out resolve.Refs
	for _, id := range c.Refs {
		out.IndexOrAdd(refs[id])
	}
	return out
}

// ActsFrom reports whether a condition acts on the rows of a home: one of a view acts where they lead to its fields.
func (c Conjunct) ActsFrom(cat *catalog.Catalog, refs resolve.Refs, home *catalog.Dataset) bool {
	return !c.WhereReached || c.IsReachedFrom(cat, refs, home)
}

// IsReachedFrom reports whether the rows of a home lead to the fields of a condition.
func (c Conjunct) IsReachedFrom(cat *catalog.Catalog, refs resolve.Refs, home *catalog.Dataset) bool {
	return !slices.ContainsFunc(c.Refs, func(r int) bool {
		w := joinpath.FindSafe(cat, home, refs[r])
		return w.Tied == nil && !w.Ok
	})
}

// OfBranch returns the conditions and ranges of a query in a view that act on the rows of a home with a time axis: those of the view act where
// the rows lead to their fields.
func (all Conditions) OfBranch(in *scope.Env, home *catalog.Dataset, axis *catalog.Field, ranges []Range) (Conditions, []Range) {
	acts := func(o Conjunct) bool { return o.ActsFrom(in.Cat, all.Refs, home) }
	reached := func(r Range) bool {
		switch {
		case !r.OfView:
			return true
		case r.OnAxis:
			return axis != nil
		}
		return viewrange.ReachesRef(in.Cat, home, r.Ref)
	}
	out := all
	out.Population, out.Input = keepIf(all.Population, acts), keepIf(all.Input, acts)
	return out, keepIf(ranges, reached)
}

func keepIf[T any](list []T, keep func(T) bool) []T {
	if !slices.ContainsFunc(list, func(x T) bool { return !keep(x) }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !keep(x) })
}
