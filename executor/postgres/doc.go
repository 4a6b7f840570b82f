// Package postgres runs statements on PostgreSQL and what speaks its protocol.
//
//	Query ─► pool ─► Parse, Describe ─► a format for each column ─► Bind, Execute ─► Rows
//	                                                                                  │ Next
//	                                         DataRow … ─► Arrow builders ─► RecordBatch
//
// A statement takes two round trips: one to learn its columns, one to run it. A repeated
// statement whose columns have not changed takes one. Between the two each column gets the
// binary format if its type is decoded here, and the text format otherwise, so that a value of
// an unknown type arrives as the server's text. The extended protocol takes one statement; the
// server itself rejects a second. Nothing stays prepared on the server: the result of a kept
// plan may depend on the state at its planning.
//
// # How types travel
//
// bool, int2, int4, int8, oid, float4, float8, date, time, timestamp and timestamptz (UTC) have
// their Arrow twins, bytea is binary, interval is month, day, nano. numeric with a declared
// precision of up to 38 digits is decimal128, up to 76 decimal256. numeric without one, which
// SUM and AVG return, has a different scale in each row; it is text of kind number, exact and
// known to fit before the first row is read. uuid, bit, varbit, timetz and the text types are
// text; json, jsonb and arrays of the types above are text of kind JSON. Everything else is the
// server's text. Infinite dates, timestamps and intervals are null.
//
// # Sessions
//
// A session sets the parameters that a role, a database or the server could set otherwise and
// that change rows: see settings. It runs in UTC, sends and receives UTF-8, has read-only
// transactions where the server supports them, and reads backslashes in literals as ordinary
// characters: a server that cannot be brought to UTF-8 or to plain literals is rejected.
//
// A pool that a program hands in (FromPool) keeps the settings of its sessions. There each
// statement is a read-only transaction that sets the same parameters for itself.
//
// # The end of a call
//
// When a context ends, the server is asked to cancel the statement and its
// answer is awaited. Only if it stays silent is the connection abandoned. Should
// the process end first, the server ends the statement by itself: from PostgreSQL 14
// on it looks each second whether its client is there, and it has a limit where the
// deadline covers the rows (executor.WithDeadlineForRows).
package postgres
