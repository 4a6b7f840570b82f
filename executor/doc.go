// Package executor runs one SQL statement on a warehouse and hands its rows on
// as Arrow record batches.
//
//	SQL text ─► Executor.Query ─► Rows ─► RecordBatch, RecordBatch, … io.EOF
//	             duckdb │ postgres │ mysql        │
//	                                              ├─► jsonrows    (JSON objects, one pass)
//	                                              └─► arrowstream (Arrow IPC stream)
//
// This package holds what every driver family shares: the two interfaces, the
// error of the execute stage with the registry of its codes, the type that
// keeps a secret out of sight, and the names that a column carries when its
// Arrow type alone does not say what the text in it means. Each family lives
// in a package of its own, so that a program links only the drivers it opens.
//
// Rows travel column by column because both consumers want them that way: the
// Arrow stream needs no conversion at all, and the JSON writer reads typed
// buffers and allocates nothing for a cell. A batch belongs to whoever
// received it from Next and is released by them.
//
// # Contexts and the end of a call
//
// The context given to Query covers Query alone, and the context given to Next
// covers that Next alone: a caller may bound the time to the first batch and
// leave the rest of the stream unbounded. Both calls return only when the
// warehouse has really let go of the statement, or when the connection that
// carried it has been given up. A permit that is held around them therefore
// counts work, not waiting callers.
//
// # Text with a meaning
//
// Some values have no faithful Arrow type: a decimal whose scale differs from
// row to row, a nested value. They travel as text, and their field carries
// KindKey in its metadata. See Kind.
package executor
