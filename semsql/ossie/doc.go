// Package ossie translates the queries of the execute_query profile of Apache Ossie (draft 0.4) to queries of the
// planner.
//
//	arguments ──DecodeArguments──► Query ──Translate──► MetricQuery or DetailQuery
//	                                 ▲                            │
//	                                 └────────QueryWithRetryFragment──── suggested_retry
//
// A clause that the planner cannot answer with the meaning of the profile is an Error with a code of the profile. Every
// expression is parsed, and the body of the query passes the decoder of the HTTP interface, so the limits are the same.
package ossie
