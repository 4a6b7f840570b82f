package mutants_test

// viewMutants are faults of queries in views: of names, of paths, and of what acts by default.
var viewMutants = []mutant{
	{"default kept beside a condition on its field", "planner/internal/where/view_conditions.go", "return viewrange.NamesAny(named, c.NamedRefs(all)) })", "return viewrange.NamesAny(named, c.NamedRefs(all)) && !isMutant(NAME) })"},
	{"range kept beside a condition on its field", "planner/internal/viewrange/view_range.go", "if len(axes) == 0 || namesAxis || NamesAny(named, axes) {", "if len(axes) == 0 || (namesAxis || NamesAny(named, axes)) && !isMutant(NAME) {"},
	{"defaults act without defaults", "planner/internal/scope/env.go", "(in.Keys.Defaults == nil || *in.Keys.Defaults)", "(in.Keys.Defaults == nil || *in.Keys.Defaults || isMutant(NAME))"},
	{"where does not act in levels of detail", "planner/internal/lod/tables.go", "if !p.tables.Applies(c, p.stack) {", "if !p.tables.Applies(c, p.stack) || c.WhereReached && isMutant(NAME) {"},
	{"joins of the whole model", "modelspec/catalog/view_scope.go", "if !v.AllJoins {\n		s.graph", "if !v.AllJoins && !isMutant(NAME) {\n		s.graph"},
	{"names of the whole model", "modelspec/catalog/view_scope.go", "c.view.shown[f] ||", "c.view.shown[f] || isMutant(NAME) ||"},
	{"conditions act where rows do not lead to them", "planner/internal/where/view_conditions.go", "return o.ActsFrom(in.Cat, all.Refs, home) }", "return o.ActsFrom(in.Cat, all.Refs, home) || isMutant(NAME) }"},
}
