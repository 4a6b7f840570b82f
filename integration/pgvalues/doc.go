// Package pgvalues holds the test that every value is the same over the PostgreSQL port as over HTTP, in text and in binary.
//
//	fields of every type ──┬─► POST /v1/sql/execute ──► JSON ──┐
//	                       ├─► port, text format ──────────────┼─► the values written here
//	                       └─► port, binary format, by pgx ────┘
package pgvalues
