// Package describe lists what a model offers: its datasets, relationships, metrics, and
// the dimensions that a query of a metric takes.
//
//	Catalog ─┐
//	Planner ─┴► Describer ─┬► Datasets, Relationships
//	                       ├► Metrics, Metric
//	                       └► Dimensions
//
// Most lists are read from the catalog. To list the group-bys of a metric, the describer
// plans a small query for each candidate, so that the lists and the queries agree; such
// lists take a context and end with it. No warehouse is used.
package describe
