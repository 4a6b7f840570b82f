// Package remote is what the executors of warehouses behind an HTTP interface
// have in common: slots in place of connections, rows whose calls end when their
// contexts do, and the request that ends the warehouse's work.
//
//	Query ─► slot ─► Start ─► Statement ─► Rows
//	                              │ Next, until io.EOF
//	                              └ Cancel, when it has not ended by itself
//
// Such a warehouse goes on computing when nobody asks for the rows any more: a
// dropped connection tells it nothing, only a request does. That request may be
// slow itself. The caller waits for it a little; the slot is given back when it
// has really ended, and closing the executor waits for it as well.
package remote
