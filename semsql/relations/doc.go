// Package relations shows a model as the tables of a database, as SQL statements name them.
//
//	catalog.Catalog ──New──► Schema ─┬─► one Relation for each dataset
//	                                 └─► the wide Relation: everything of the model
//
// A Relation has columns with the names of types of PostgreSQL, keys and descriptions. A column is
// a field, a metric, or metric_time. The package computes; it reads no warehouse, so the type of a
// column that the model does not determine is text.
package relations
