// Package lineage shows what a model is made of: from the tables of a warehouse, over
// datasets, fields and measures, to metrics.
//
//	Catalog ─► Of, OfMetric ─► Graph ─┬► JSON
//	                                  ├► Mermaid
//	                                  └► DOT
//
// It reads a compiled catalog and nothing else; no query is planned for it.
package lineage
