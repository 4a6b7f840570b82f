// Package catalogue answers statements about the catalogue of a database, as PostgreSQL 15 would for
// the relations of a model.
//
//	text ──parse──► tree ──resolve──► typed tree of SQL for DuckDB ──► rows in PostgreSQL's values
//
// The tables of pg_catalog are those of a new database of PostgreSQL 15 with the rows of the model's
// relations, in a private DuckDB in memory: one for each revision of a model, without access to files
// or networks. Views are expanded from PostgreSQL's own definitions. Values of the session are constants
// of the statement. Names, functions, operators and types come from closed lists; nothing of
// a statement's text is printed but values as literals.
package catalogue
