// Package remote is shared by the executors of warehouses behind an HTTP interface:
// slots in place of connections, rows whose calls end when their
// contexts end, and the request that ends the work of the warehouse.
//
//	Query ─► slot ─► Start ─► Statement ─► Rows
//	                              │ Next, until io.EOF
//	                              └ Cancel, when it has not ended by itself
//
//	DoWithRetries ─► transport ─► 200                     the response
//	                    ▲         429, 502, 503, 504      wait and again, a while
//	                    └─────────┘ any other             *FailedResponse
//
// Such a warehouse continues computing when the client has gone: only a request ends the
// statement, a dropped connection does not. That request may be slow too. The caller waits for
// it a short time; the slot is released when the request has ended, and closing the executor
// waits for it as well.
package remote
