// Package metricflow imports the semantic models and metrics of dbt MetricFlow: the YAML
// of a dbt project, and the semantic_manifest.json that dbt writes.
//
//	files ──documents──► semantic models ──► datasets, keys, relationships
//	                     metrics ──────────► aggregates, arithmetic, windows, rows that follow others
//	                     saved queries ────► queries
//
// A measure is an aggregate over a field of its dataset; the metrics that use it carry the
// aggregate. A filter is folded into the aggregate when it names the measure's dataset, or one that an
// entity leads to.
package metricflow
