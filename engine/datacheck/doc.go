// Package datacheck compares a model with the data of a warehouse: with its tables, its columns and
// the values in them.
//
//	document, catalog ─► fields ─► scans ─► relationships ─► metrics ─► findings in document order
//	                        │         │            │             │
//	                        └─────────┴─── plans, printed by sqlemit, one SELECT each ──► warehouse
//
// findUnreadableObjects reads no row: it compiles the fields of each dataset into one statement and learns
// which sources, columns and expressions the warehouse accepts, and which types they have.
// scanDatasets counts the rows of each dataset, with the values of its keys and of its time fields,
// in one statement where one can hold them. checkRelationships matches the values of the two sides.
// compileMetricsOnWarehouse compiles each metric. A pass leaves out each object that an
// earlier pass found broken, so that one fault is one finding.
//
// No pass writes SQL: a pass builds plan nodes over the rows of a detail query, so that a check reads a
// field exactly as a query of the model does.
package datacheck
