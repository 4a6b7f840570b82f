// Package describe lists what a model offers: its datasets, relationships, metrics, and
// the dimensions that a query of a metric takes.
//
//	Catalog ─┐
//	Planner ─┴► Describer ─┬► Datasets, Relationships
//	                       ├► Metrics, Metric
//	                       └► Dimensions
//
// What can be read from the catalog is read there. What a metric accepts is found out by
// planning a small query for each candidate, so that the lists and the queries agree;
// such lists take a context and end with it. No warehouse is touched.
package describe
