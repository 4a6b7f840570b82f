// Package cursor is the part of executor.Rows that every driver family shares: the end stays
// the end, a failure is final, and what a statement holds is given back once.
//
//	Next ─► Statement.Fetch ─► a batch
//	                        ├► nothing ─► End ─► io.EOF from here on
//	                        └► an error ─► End ─► the same error from here on
package cursor
