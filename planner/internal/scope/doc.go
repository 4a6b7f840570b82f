// Package scope resolves what each query names: the environment of a query, its metrics, its
// group-bys and its parameters.
//
//	query, catalog, target ─► Env ─► Selection (metrics, names) ─► Group (group-bys) ─► Bindings (params)
//
// It is the lowest floor of the metric plane. The detail plane, attributions and the search for compatible
// items use it too. It has no measures.
package scope
