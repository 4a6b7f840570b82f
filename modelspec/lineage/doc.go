// Package lineage computes the lineage of a metric: from the tables of a warehouse, over datasets,
// fields and measures, to the metric.
//
//	Catalog ─► Of, MetricGraph ─► Graph ─┬► JSON
//	                                  ├► Mermaid
//	                                  └► DOT
//
// It reads a compiled catalog and nothing else; no query is planned for it.
package lineage
