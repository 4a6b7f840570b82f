// Package tables reads which tables a warehouse has: columns with their types, keys, foreign
// keys and comments.
//
//	executor.Executor ─► statements of its dialect ─► rows ─► []Table
//	                     tables │ columns │ keys │ foreign keys
//
// The statements of a dialect are constants that only read: the names of schemas and tables
// never become part of one, and are compared here. Each dialect names the same columns, so
// one reader assembles them all.
//
// A key is listed where the warehouse enforces it. Redshift, StarRocks, Doris and ClickHouse
// enforce none. A primary key of SQLite that may hold nulls is a unique key, and a unique index
// that covers expressions or a part of the rows is not listed.
package tables
