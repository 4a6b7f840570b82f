// Package databricks runs statements on a SQL warehouse of Databricks.
//
//	Query ─► POST statements ─► GET statements/{id} … SUCCEEDED
//	                                │ manifest          │ link to chunk 0
//	                                ▼                   ▼
//	                              Schema     Arrow stream in the cloud's storage ─► RecordBatch …
//	                                                    │ next chunk
//	                                                    └─► GET …/result/chunks/{n} ─► link to chunk n
//	context ended ─► POST statements/{id}/cancel
//
// It speaks the Statement Execution interface. A statement gets its name at once, so
// that it can be cancelled whenever a context ends; with the Thrift interface that
// the drivers use, one that runs for seconds has none. Results come as Arrow streams
// by links that carry their own short-lived permission; the token is never sent
// there. A chunk is read while it arrives, one at a time, and one that holds fewer
// rows than promised is an error.
//
// Only SQL warehouses have this interface: the http_path ends with
// /warehouses/{id}. All-purpose clusters are not supported.
//
// # Sessions
//
// A statement here has no session whose settings could be changed, and statements
// are written for the time zone UTC and ANSI mode, which are Databricks' own
// defaults. The first query asks the warehouse for both, once, and is rejected with
// code config if an administrator has decided otherwise.
//
// # How types travel
//
// As Databricks sends them: integers of their width, FLOAT, DOUBLE, DECIMAL as
// decimal128, DATE as date32, TIMESTAMP as microseconds in UTC, TIMESTAMP_NTZ as
// microseconds, BINARY, STRING, BOOLEAN. ARRAY, MAP and STRUCT are text of kind
// JSON.
package databricks
