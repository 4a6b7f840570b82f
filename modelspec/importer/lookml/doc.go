// Package lookml reads the views and explores of LookML.
//
//	files ──parse──► blocks ──merge──► views and explores, refinements and extensions resolved
//	                                      │
//	                                      ├─► datasets and fields: SQL over columns alone
//	                                      ├─► relationships: the joins of explores
//	                                      ├─► metrics
//	                                      └─► views: the members, joins and conditions of explores
//
// References of a dimension to others are written out, so that a field's expression names
// columns of its table only. A construct with Liquid is dropped.
package lookml
