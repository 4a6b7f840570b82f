// Package query holds the bodies of the query planes and reads them from JSON.
//
//	bytes ─► scanner ─► fields of a body, one table each ─► *MetricQuery
//	            │                     │
//	            ▼                     ▼ a key the table does not have
//	       bad_request          tree ─► repair ─► unknown_query_key
//
// Decoding is strict, because a query that was half understood gives a true
// result of another query: the decoder rejects unknown keys, duplicate keys, values of
// another type and text after the JSON. null counts as absent where a
// key is optional. The order of params and time_ranges is kept, since it is the
// order of the result's columns, and bound numbers keep their digits.
//
// Decoding is one pass over the text that builds no tree. Only a text with an unknown
// key is read a second time: its error lists the known keys and carries the query's
// values under the right names, and that needs the whole text.
//
// The decoder does not look up names. The planner checks whether a metric exists and
// a grain is known.
package query
