// Package trino runs statements on a Trino cluster.
//
//	Query ─► POST /v1/statement ─► GET nextUri ─► GET nextUri … ─► no nextUri
//	                                   │ columns      │ data
//	                                   ▼              ▼
//	                                 Schema       RecordBatch, one or more a page
//	context ended ─► DELETE nextUri
//
// It speaks the client protocol itself, because it is small and the rows are wanted as
// columns: each page of JSON is read straight into Arrow builders, one page in
// memory at a time. Only the path of a nextUri is followed, at the coordinator
// that the profile names, so no answer can send the credentials elsewhere.
//
// # Sessions
//
// Statements run in the time zone UTC, with the profile's catalog and schema.
// Trino takes one statement a request and rejects a second one in the text.
//
// # How types travel
//
// Integers have the Arrow type of their width, REAL and DOUBLE are floats, DECIMAL is
// decimal128. DATE is date32. TIMESTAMP has microseconds, or nanoseconds from TIMESTAMP(7) on,
// and is text from TIMESTAMP(10) on; WITH TIME ZONE it is converted to UTC. An hour that a zone
// has twice, in autumn, is read as the first: the protocol does not distinguish the two. TIME
// is time64 likewise, and text WITH TIME ZONE. Intervals are month, day, nano. VARBINARY is
// binary, JSON is text of kind JSON, as are ARRAY, MAP and ROW: a row is an object when all its
// fields have names, an array otherwise. UUID, IPADDRESS and every type that is not mentioned
// are text.
//
// # The end of a call
//
// A coordinator responds to a new statement at once with a name for it. When the context ends
// before, the executor waits a short time for the name, because a statement without a name
// cannot be ended; then it sends the request that ends the statement.
package trino
