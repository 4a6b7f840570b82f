// Package snowflake runs statements on Snowflake.
//
//	Query ─► POST statements, async ─► GET statements/{handle} … 200
//	                                       │ rowType      │ partition 0
//	                                       ▼              ▼
//	                                     Schema       RecordBatch, one or more a partition
//	                                                      │
//	                                                      └─► GET …?partition={n}
//	context ended ─► POST statements/{handle}/cancel
//
// It speaks the SQL API, version 2. A statement gets its handle at once, so that it
// can be cancelled whenever a context ends. A partition is read straight into Arrow
// builders, one in memory at a time; partitions that together hold fewer rows than
// the result has are an error. Snowflake's driver for Go is not used: importing it
// writes a library of machine code to a temporary file and loads it, and connecting
// asks the metadata services of three clouds where the program runs.
//
// # Credentials
//
// A key pair: the file of an unencrypted RSA key. Or a programmatic access token in place of
// the password, which Snowflake offers to programs since it rejects passwords alone; the SQL
// API takes no passwords.
//
// # Sessions
//
// Statements run in the time zone UTC, one a request. The start of the week does not come from
// the session: statements compute it. Names in quotation marks must keep their letters; the
// first query checks QUOTED_IDENTIFIERS_IGNORE_CASE, once, and fails with code config if it is
// on.
//
// # How types travel
//
// NUMBER is int64 up to 18 digits without a fraction and decimal128 beyond, FLOAT is double.
// DATE is date32, TIME time64 and timestamps are of microseconds, with zone in UTC: Snowflake's
// nanoseconds are truncated, because dates such as 9999-12-31 have no place in a count of
// nanoseconds. BINARY is binary. VARIANT, OBJECT, ARRAY, MAP and VECTOR are text of kind JSON.
// DECFLOAT, GEOGRAPHY and every type that is not mentioned are text.
package snowflake
