// Package executor runs one SQL statement on a warehouse and hands its rows on
// as Arrow record batches.
//
//	SQL text ─► Executor.Query ─► Rows ─► RecordBatch, RecordBatch, … io.EOF
//	             duckdb │ postgres │ mysql        │
//	                                              ├─► jsonrows    (JSON objects, one pass)
//	                                              └─► arrowstream (Arrow IPC stream)
//
// This package holds the parts that every driver family shares: the two interfaces, the error
// of the execute stage with the registry of its codes, the type that hides a secret, and the
// metadata of a column whose Arrow type alone does not define the meaning of its text. Each
// family has a separate package, so that a program links only the drivers it opens.
//
// Rows travel column by column because both consumers need columns: the Arrow stream needs no
// conversion at all, and the JSON writer reads typed buffers and allocates nothing for a cell.
// The caller of Next owns the batch and releases it.
//
// # Contexts and the end of a call
//
// The context given to Query covers Query alone, and the context given to Next covers that Next
// alone: a caller may bound the time to the first batch and leave the rest of the stream
// unbounded. Both calls return only when the warehouse has released the statement, or when its
// connection has been abandoned. A slot that is held around them therefore counts work, not
// waiting callers.
//
// # Text with a meaning
//
// Some values have no faithful Arrow type: a decimal whose scale differs from
// row to row, a nested value. They travel as text, and their field carries
// TextKindMetadataKey in its metadata. See Kind.
package executor
