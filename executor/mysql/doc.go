// Package mysql runs statements on MySQL, MariaDB and what speaks their
// protocol.
//
//	Query ─► pool ─► text protocol ─► Rows
//	                                   │ Next
//	                 row packets ─► Arrow builders ─► RecordBatch
//
// The text protocol takes one round trip, streams, and is the protocol that every relative of
// MySQL implements. The driver does not allow several statements in one text; the server
// rejects the second.
//
// # How types travel
//
// Integers have the Arrow type of their width and sign, YEAR is uint16, BIT is
// uint64. DECIMAL is decimal128 of 38 digits, or decimal256 of 76 where the
// column's own precision is higher; a decimal without a fixed scale is text of
// kind number. FLOAT arrives as the server prints it, which is six digits on
// MySQL; DOUBLE is exact. DATE is date32, DATETIME a timestamp, TIMESTAMP a
// timestamp in UTC. TIME is text, because it is a duration of up to 838 hours
// here. Text types, ENUM and SET are text, JSON is text of kind JSON (MariaDB
// has no such type on the wire: its JSON is text), binary types and geometries
// are binary. Zero dates are null.
//
// MySQL has no boolean type: a condition is an integer. The author of the statement marks it
// for the JSON writer with a hint.
//
// # Sessions
//
// A session sets the variables that the server could set otherwise for all sessions and that
// change rows: see settings. It has the character set utf8mb4, the time zone +00:00 and a known
// sql_mode: strict, ONLY_FULL_GROUP_BY, without ANSI_QUOTES and without NO_BACKSLASH_ESCAPES,
// as the quoting of names and literals expects, and with signed differences of unsigned numbers. Its transactions are read-only where the server
// supports them. Where the deadline of a call covers the rows (executor.WithDeadlineForRows), the server
// has it as the limit of the statement.
//
// # The end of a call
//
// The protocol cannot cancel. When a context ends, a second connection asks the
// server to KILL QUERY the first; if the statement does not end by that, its
// connection is cut. Either way the connection is not used again. When the
// network cuts it first, the second connection ends what was left behind, if
// the server is the one that the first spoke to.
package mysql
