// Package driver is what the drivers of the warehouses share: batches of rows, calls that block, connections and errors, so that each
// warehouse behaves the same.
//
//	BatchBuilder       turns rows that arrive one by one into record batches, of sizes that a BatchSizer decides: the first is small,
//	                   because the reader of a stream needs rows at once, and each later one is twice as large
//	RunCall            makes a call that blocks without a context, and stops it when a context ends
//	Rows               end once, keep their error, and release the statement once
//	Slots              bound the statements that run at once, and count the abandoned ones
//	QueryPastStaleConnections
//	                   starts a statement, and skips connections that broke while they were idle
//	ServerTimeLimit    is the time that a server is given for a statement, so that it ends even when the calling process has died
//	NextStatementTag   is the tag that a statement carries
//	TLSFiles           are the authorities and the certificate of a connection, read again for each handshake
//	ContextError …     are the errors that all drivers share
package driver
