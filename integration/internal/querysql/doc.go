// Package querysql writes the queries of a model as SQL statements with the same rows, in every spelling that
// package semsql reads: over the wide relation, over a dataset, over joins, over SEMANTIC_VIEW, and through derived
// tables as BI tools write them.
//
//	query ──► groups, metrics, conditions ──naming──► statements
package querysql
