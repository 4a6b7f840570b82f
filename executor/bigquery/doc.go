// Package bigquery runs statements on BigQuery.
//
//	Query ─► jobs.insert, a name of ours ─► jobs.getQueryResults … ─► no pageToken
//	                                            │ schema    │ rows
//	                                            ▼           ▼
//	                                          Schema    RecordBatch, one or more a page
//	context ended ─► jobs.cancel
//
// It speaks the REST interface itself: four requests, answers of JSON that are read
// straight into Arrow builders, one page of at most about 20 MB in memory at a
// time. Google's client library would bring gRPC and its dependencies along, and
// repeats failed requests for as long as a context lives. The job's name is chosen
// here, so that a job can be cancelled before the service has answered that it
// exists, and a repeated request cannot start it twice.
//
// # Credentials
//
// A file of a service account or of a user, or the credentials of the environment: the variable
// GOOGLE_APPLICATION_CREDENTIALS, gcloud's file, the metadata server of Google's machines. The
// first query searches for them.
//
// # Statements
//
// BigQuery runs several statements in one text as a script. A text with more than
// one is rejected here, before it is sent. The session's time zone is UTC.
//
// # How types travel
//
// INT64 is int64, FLOAT64 double, NUMERIC decimal128(38, 9) and BIGNUMERIC
// decimal256(76, 38) unless the column declares fewer digits. DATE is date32,
// DATETIME a timestamp of microseconds, TIMESTAMP the same in UTC. TIME is time64,
// INTERVAL is month, day, nano. BYTES is binary. JSON, ARRAY, STRUCT and RANGE are
// text of kind JSON. GEOGRAPHY is text.
package bigquery
