// Package resultcache keeps complete results of statements as Arrow record batches, and lets requests for one result wait for one
// statement.
//
//	Get ──► kept and valid ─────────► hit: rows of the entry
//	  │
//	  ├──► a statement of the key ──► shared: waits for its end
//	  │
//	  └──► else ────────────────────► miss: starts the statement and reads its rows as they arrive
//	                                        │
//	                                        └──► complete ──► entry
//
// A statement belongs to all requests that wait for it, and not to the request that started it: each of them can leave, and the
// statement is cancelled when the last has left. Its goroutine reads the rows ahead of the requests. When the result passes the bound of
// an entry, nothing is kept: the request that started the statement reads the rest from the warehouse, and the others run alone.
//
// The bytes of all entries, of those that still have a reader and of those under construction never pass the bound of the cache. The
// victim is the entry with the least priority, clock + uses × milliseconds ÷ bytes, and the clock rises to that priority: what was
// expensive to compute, is small or is used often stays (greedy dual with size and frequency). An entry with a reader is never a victim.
package resultcache
