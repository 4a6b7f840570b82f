// Package memory divides the memory of the process into shares, and counts what requests hold in them.
//
//	--memory-mib ──► Budget ─┬─ Go heap (GOMEMLIMIT) ──► parts: plans, results, sessions, catalogue, messages, log
//	                         ├─ embedded DuckDB
//	                         └─ DuckDB of the catalogue
//
// The half of the Go heap is for the parts, each with a fixed share; the other half is for the model, the garbage
// that is not collected yet, and the rest of the program. Code that keeps bytes for a client reserves them before it
// allocates them, and releases them when it drops the reference:
//
//	held, err := results.Reserve(int64(len(rows))) // results is the Part of that name
//	if err != nil {
//		return err // *LimitError: code memory_limit
//	}
//	defer held.Release()
//	...
//	if err := held.Grow(int64(len(batch))); err != nil {
//		return err
//	}
//
// Reserve and Grow never wait. Where other reservations hold the share, the error asks the client to try again: status
// 429, SQLSTATE 53200. Where the reservation alone is larger than the share, a retry does not help: status 400,
// SQLSTATE 54000. A reservation that fails to grow keeps what it has.
//
// A nil *Budget and a nil *Part accept everything, so that programs that embed the engine need no budget, and callers
// need no check.
package memory
