// Package postgresgrammar compares the parser of SELECT statements, semsql/parse, with the
// grammar of PostgreSQL. The module is separate because that grammar is C code which takes
// minutes to build, and no other module needs it.
package postgresgrammar
