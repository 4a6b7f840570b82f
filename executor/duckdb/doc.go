// Package duckdb runs statements on DuckDB inside the process.
//
//	Query ─► one statement? ─► prepare ─► pending, streaming ─► Rows
//	                                                             │ Next
//	          chunk of ≤2048 rows ─► columns (Go memory) ─► RecordBatch
//
// The C library answers in chunks of vectors. Each vector is copied into Arrow
// buffers of Go's own memory, so a batch outlives the statement, and nothing
// that a caller forgets to release leaks memory of the library. The copy is a
// memmove for fixed-width types; it needs no build tag, unlike the library's
// own Arrow export, and it streams, unlike the Arrow interface of the
// database/sql driver.
//
// The first batch is the first chunk. Later ones grow to 65536 rows, because an
// Arrow stream pays for every batch, but a batch is handed out early when it
// has taken 100 ms or holds 4 MiB.
//
// # How types travel
//
// Integers, FLOAT, DOUBLE, BOOLEAN, DATE, TIME, TIMESTAMP in its four units and
// TIMESTAMPTZ (UTC) have their Arrow twins. DECIMAL is decimal128. HUGEINT is
// decimal128(38, 0) and keeps its full range: the few values of 39 digits
// exceed the nominal precision, not the 128 bits. UHUGEINT is
// decimal256(39, 0). BIGNUM is text of kind number. INTERVAL is month, day,
// nano. ENUM, UUID, BIT and TIMETZ are text; BLOB and GEOMETRY (WKB) are
// binary; LIST, ARRAY, STRUCT, MAP and UNION are text of kind JSON, as are
// columns of type JSON. Infinite dates and timestamps are null. VARIANT is
// rejected with a hint.
//
// # What a statement cannot do
//
// A file is opened read-only unless the options say otherwise. Access to files
// and networks, installing and loading extensions and stored secrets are off
// before the first statement, and the configuration is locked after the setup
// statements: no SQL can turn any of it on again.
package duckdb
