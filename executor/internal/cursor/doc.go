// Package cursor holds the part of executor.Rows that all drivers share: it ends once, keeps its
// error, and releases the statement once.
//
//	Next ─► Statement.Fetch ─► a batch
//	                        ├► nothing ─► End ─► io.EOF from here on
//	                        └► an error ─► End ─► the same error from here on
package cursor
