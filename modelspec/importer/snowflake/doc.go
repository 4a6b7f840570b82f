// Package snowflake reads semantic views of Snowflake: CREATE SEMANTIC VIEW statements, and the YAML of a semantic model.
//
//	files ──importer.Read──► nodes ──Read──► tables ─┬─► datasets, fields, relationships
//	                                                 ├─► metrics
//	                                                 └─► verified queries: tests and examples
//
// Names in a metric's expression are logical: those of facts and dimensions come before the
// columns of the table. A column that is not declared becomes a field that queries cannot
// group by.
package snowflake
