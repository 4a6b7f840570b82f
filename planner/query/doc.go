// Package query holds the bodies of the query planes and reads them from JSON.
//
//	bytes ─► scanner ─► fields of a body, one table each ─► *MetricQuery
//	            │                     │
//	            ▼                     ▼ a key the table does not have
//	       bad_request          tree ─► repair ─► unknown_query_key
//
// Decoding is strict, because a query that was half understood gives a true
// answer to another question: unknown keys, duplicate keys, values of another
// type and text after the JSON are all refused. null counts as absent where a
// key is optional. The order of params and time_ranges is kept, since it is the
// order of the result's columns, and bound numbers keep their digits.
//
// The way to a MetricQuery is one pass over the text without building a tree.
// Only a text with an unknown key is read a second time: the answer to it names
// the keys there are and carries the query's own values under the right names,
// and for that the whole text is needed.
//
// Names are not looked up here. Whether a metric exists or a grain is known is
// the planner's to say.
package query
